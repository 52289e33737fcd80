// Before the first paint: the theme that was chosen in this browser (page/theme.ts). The policy of the pages allows no inline script.
try {
  const theme = localStorage.getItem('penstock.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing for this page, so no theme either.
}
