import { expect, test } from 'vitest';
import { PLAIN, type Colour } from './ansi';
import { contrast, lookOf } from './colours';
import { DARK, LIGHT } from '../terminal/colours';

type Rgb = [number, number, number];
const hex = (colour: string): Rgb => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as Rgb;
const both = (colour: string): Rgb[] => [...colour.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map((each) => each.slice(1).map(Number) as Rgb);

test('all pairs of colours can be read in light and dark', () => {
  const some: Colour[] = [null, ...Array(16).keys(), 'rgb(255 135 0)', 'rgb(100 60 255)', 'rgb(128 128 128)', 'rgb(0 0 255)'];
  for (const fg of some)
    for (const bg of some)
      for (const inverse of [false, true])
        for (const dim of [false, true]) {
          const { color, background } = lookOf({ ...PLAIN, fg, bg, inverse, dim });
          [LIGHT, DARK].forEach((colours, i) => {
            const text = color === null ? hex(colours.foreground) : both(color)[i]!;
            const ground = background === null ? hex(colours.background) : both(background)[i]!;
            expect(contrast(text, ground), `${fg} on ${bg}, inverse ${inverse}, dim ${dim}`).toBeGreaterThanOrEqual(4.5);
          });
        }
});

test('a colour that can be read is not changed', () => {
  expect(both(lookOf({ ...PLAIN, fg: 1 }).color!)).toEqual([hex(LIGHT.sixteen[1]!), hex(DARK.sixteen[1]!)]);
  expect(lookOf(PLAIN)).toEqual({ color: null, background: null });
});

test('dim text is weaker than other text of its colour', () => {
  const [plain, dim] = [false, true].map((each) => both(lookOf({ ...PLAIN, fg: 'rgb(0 0 0)', bg: 15, dim: each }).color!)[0]!);
  expect(contrast(dim!, [255, 255, 255])).toBeLessThan(contrast(plain!, [255, 255, 255]));
});
