/** The dialog's names of fields, for the server's. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^(args\.)?cwd\b/, 'The folder'],
  [/^(args\.)?command\b/, 'The command'],
  [/^timeout_secs\b/, 'The time limit'],
];

/** The server's message with the dialog's names of fields. */
export function inWordsOfFields(message: string): string {
  return FIELDS.reduce((said, [named, called]) => said.replace(named, called), message);
}
