export function makeFonts(): Promise<void>;
export function licences(): string;
