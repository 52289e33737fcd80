import { expressionOf, matchWords, SearchBar, type Wanted } from '../page/search-bar';
import type { Screen } from './screen';

const MARKS = {
  matchOverviewRuler: '#d9a020',
  activeMatchColorOverviewRuler: '#e07020',
  matchBackground: '#d9a02055',
  activeMatchBackground: '#e0702099',
};

/** The search on a terminal's screen and above it: the same as in a log, but it begins at the newest match. */
export function terminalSearch(screen: Screen): SearchBar {
  let found: Wanted | null = null; // the same for all steps, so that the addon counts the matches once
  const find = (wanted: Wanted, back: boolean): void => {
    const options = { regex: wanted.regex, caseSensitive: wanted.matchCase, decorations: MARKS };
    const isFound = back ? screen.search.findPrevious(wanted.text, options) : screen.search.findNext(wanted.text, options);
    if (!isFound) bar.say('not found');
  };
  const bar = new SearchBar('Search the terminal', {
    begin: (wanted) => {
      try {
        expressionOf(wanted);
        found = wanted;
        find(wanted, true);
      } catch (invalid) {
        bar.say((invalid as Error).message);
      }
    },
    step: (back) => {
      if (found !== null) find(found, back);
    },
    stop: () => {
      found = null;
      screen.search.clearDecorations();
      screen.terminal.clearSelection();
    },
    closed: () => screen.terminal.focus(),
  });
  screen.search.onDidChangeResults(({ resultIndex, resultCount }) => {
    if (found !== null && resultCount > 0) bar.say(matchWords(resultIndex + 1, resultCount, 1, true, resultIndex < 0));
  });
  return bar;
}
