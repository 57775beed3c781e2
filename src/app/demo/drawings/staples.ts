import {
  blob,
  chance,
  cord,
  heap,
  type Ink,
  type Oval,
  oneOf,
  piece,
  placed,
  places,
  strand,
  type Tone,
} from './ink'

const cream: Tone = ['#ffffff', '#fdf6e6', '#dccfae']
const rice: Tone = ['#ffffff', '#fbf3df', '#cfbf9a']
const golden: Tone = ['#ffe6a3', '#efb445', '#b87420']
const crust: Tone = ['#f6c983', '#d8924a', '#8e5221']
const butterPasta: Tone = ['#fff3c4', '#f0ce79', '#b98a35']

/** A lump of nshima as a wet spoon shapes it, with the spoon's marks. */
export const nshima = ({ x, y, rx, ry, turn = 0 }: Oval, seed: number): Ink =>
  placed(
    { x, y },
    turn,
    `${heap(blob({ x: 0, y: 0, rx, ry }, seed, 0.03, 14), cream)}
    ${[-0.42, -0.1, 0.22].map((at) => strand(`M${-rx * 0.6} ${ry * at}Q0 ${ry * (at - 0.24)} ${rx * 0.62} ${ry * (at + 0.04)}`, '#e6d9bb', 2.4)).join('')}`,
  )

/** A mound of grains. */
export const riceMound = (where: Oval, seed: number, tones: readonly Tone[] = [rice]): Ink =>
  `${heap(blob(where, seed, 0.06, 14), oneOf(tones, 0))}
  ${places(
    { ...where, rx: where.rx * 0.94, ry: where.ry * 0.92 },
    Math.round((where.rx * where.ry) / 26),
    seed,
  )
    .map((spot, index) => placed(spot, spot.turn, grain(oneOf(tones, index))))
    .join('')}`

const grain = ([light, body, deep]: Tone): Ink =>
  `<ellipse cx=".8" cy="1.2" rx="6" ry="2.5" fill="${deep}" opacity=".7"/><ellipse rx="6" ry="2.4" fill="${body}"/><ellipse cx="-1" cy="-.7" rx="3.4" ry=".8" fill="${light}"/>`

/** Long pasta, turned into a nest with a fork. */
export const nest = (
  where: Oval,
  seed: number,
  { tone = butterPasta, width = 5, strands = 46 } = {},
): Ink => {
  const random = chance(seed)
  const turns = Array.from({ length: strands }, (_, index) => {
    const far = 1 - (index / strands) * 0.86
    const start = random() * 2 * Math.PI
    const sweep = 1.2 + random() * 1.6
    const point = (angle: number, more: number) =>
      `${(where.x + Math.cos(angle) * where.rx * far * more).toFixed(1)} ${(where.y + Math.sin(angle) * where.ry * far * more).toFixed(1)}`
    const middle = start + sweep / 2
    return cord(
      `M${point(start, 0.96)}Q${point(middle, 1.16)} ${point(start + sweep, 0.9 + random() * 0.14)}`,
      tone,
      width,
    )
  })
  return heap(blob(where, seed, 0.05, 14), tone) + turns.join('')
}

/** Short tubes, bent. */
export const macaroni = (where: Oval, seed: number): Ink =>
  heap(blob(where, seed, 0.05, 14), golden) +
  places({ ...where, rx: where.rx * 0.9, ry: where.ry * 0.9 }, 84, seed)
    .map((spot, index) =>
      placed(
        spot,
        spot.turn,
        `${cord('M-10 5Q0 -11 10 5', index % 4 === 0 ? crust : golden, 8.5)}<ellipse cx="10.4" cy="5.6" rx="2.6" ry="2" fill="#8a5416" transform="rotate(40 10 5)"/>`,
      ),
    )
    .join('')

/** Chips, thrown on a heap. */
export const chips = (where: Oval, count: number, seed: number): Ink =>
  places(where, count, seed)
    .map((spot, index) =>
      placed(spot, (spot.turn % 100) - 50, piece(bar(46 + (index % 3) * 8, 11, 2.5), golden)),
    )
    .join('')

/** A bar with rounded ends, lying along its own middle. */
export const bar = (length: number, width: number, round: number): string => {
  const [l, w, r] = [length / 2, width / 2, round]
  return `M${-l + r} ${-w}H${l - r}Q${l} ${-w} ${l} ${-w + r}V${w - r}Q${l} ${w} ${l - r} ${w}H${-l + r}Q${-l} ${w} ${-l} ${w - r}V${-w + r}Q${-l} ${-w} ${-l + r} ${-w}Z`
}

/** A soft bun from above. */
export const bun = ({ x, y, rx, ry }: Oval, seed: number, { seeds = true, tone = crust } = {}): Ink =>
  `${heap(blob({ x, y, rx, ry }, seed, 0.02, 14), tone)}
  <ellipse cx="${x - rx * 0.3}" cy="${y - ry * 0.38}" rx="${rx * 0.34}" ry="${ry * 0.2}" fill="#fff" opacity=".28" transform="rotate(-24 ${x - rx * 0.3} ${y - ry * 0.38})"/>
  ${(seeds ? places({ x, y: y - 4, rx: rx * 0.78, ry: ry * 0.74 }, 26, seed) : [])
    .map((spot) =>
      placed(
        spot,
        spot.turn,
        '<ellipse cx=".8" cy="1.2" rx="4.4" ry="2.5" fill="#7d4618" opacity=".6"/><ellipse rx="4.2" ry="2.3" fill="#fff0cd"/>',
      ),
    )
    .join('')}`

/** A slice or a disc of bread, cut side up. */
export const slice = (outline: string, toasted = false): Ink =>
  heap(outline, crust) +
  `<g transform="translate(-1 -4)"><path d="${outline}" fill="${toasted ? '#eec07c' : '#fbe6bd'}" stroke="#c98d4a" stroke-width="5"/></g>`
