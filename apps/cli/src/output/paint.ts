export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** All escape sequences that a painter adds. */
export const PAINT_CODES: ReadonlySet<string> = new Set(
  Object.values(CODES)
    .flat()
    .map((code) => `\u001b[${code}m`),
);

export function painter(enabled: boolean): Paint {
  if (!enabled) return (_, text) => text;
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
