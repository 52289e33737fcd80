/** What the dialog calls the fields that the server names otherwise. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^(args\.)?cwd\b/, 'The folder'],
  [/^(args\.)?command\b/, 'The command'],
  [/^timeout_secs\b/, 'The time after which it is stopped'],
];

/** Why a task was not started, in the words of the dialog. */
export function inWordsOfFields(message: string): string {
  return FIELDS.reduce((said, [named, called]) => said.replace(named, called), message);
}
