const LOADED_WITHIN_MS = 3_000; // without it, terminals have a font of this machine

/** Waits for the font of terminals. */
export async function fontsLoaded(): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, LOADED_WITHIN_MS));
  const loaded = document.fonts.load("14px 'Penstock Mono'").then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([loaded, late]);
}
