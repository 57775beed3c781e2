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
  type Spot,
  strand,
  type Tone,
} from './ink'

export const tones = {
  beef: ['#b9774d', '#7d4326', '#4a2412'],
  chicken: ['#f7c37c', '#d3853a', '#8b4c1b'],
  potato: ['#ffc07a', '#ee8a35', '#b45a17'],
  carrot: ['#ffb26b', '#f08127', '#b9560f'],
  tomato: ['#ff8f73', '#d93a26', '#971d14'],
  bean: ['#cf7f63', '#8f3b29', '#571c14'],
  pea: ['#c6e48a', '#79b13c', '#457420'],
  leaf: ['#7fb56a', '#3c7f3b', '#1f4f26'],
  lettuce: ['#d9efa2', '#93c352', '#5b8a2d'],
  cheese: ['#fff0a8', '#ffd24f', '#d39a1e'],
  egg: ['#ffffff', '#fff9ea', '#d9cba9'],
  onion: ['#fbeaf0', '#e2b6cf', '#a56d91'],
  mushroom: ['#fff5e3', '#e2c9a4', '#9a7a52'],
} satisfies Record<string, Tone>

export const sauces = {
  gravy: ['#c98a55', '#8c4c25', '#552910'],
  curry: ['#f6c866', '#d8921f', '#8b5510'],
  tomato: ['#f07a55', '#c23f22', '#7c2213'],
  white: ['#fffdf4', '#f5e7c4', '#cbb482'],
  peri: ['#ff9a4d', '#dd4f17', '#8f2b0a'],
} satisfies Record<string, Tone>

/** Sauce that has run on the plate, with the light on it. */
export const sauce = (where: Oval, seed: number, tone: Tone): Ink =>
  `${heap(blob(where, seed, 0.1, 13), tone)}
  <ellipse cx="${where.x - where.rx * 0.35}" cy="${where.y - where.ry * 0.5}" rx="${where.rx * 0.3}" ry="${where.ry * 0.1}" fill="#fff" opacity=".35" transform="rotate(-18 ${where.x - where.rx * 0.35} ${where.y - where.ry * 0.5})"/>`

/** Pieces of this kind all over a place; `size` is half of one. */
export const scattered = (
  where: Oval,
  count: number,
  seed: number,
  kinds: readonly Tone[],
  size: number,
): Ink =>
  places(where, count, seed)
    .map((spot, index) =>
      piece(
        blob({ ...spot, rx: size * (0.85 + (index % 3) * 0.14), ry: size * 0.78 }, seed + index, 0.13, 7),
        oneOf(kinds, index),
      ),
    )
    .join('')

/** Greens cooked with tomato and onion: strips of leaf in every direction. */
export const greens = (where: Oval, seed: number): Ink => {
  const strips = places({ ...where, rx: where.rx * 0.86, ry: where.ry * 0.84 }, 44, seed)
  const colours: readonly Tone[] = [
    tones.leaf,
    ['#9cc77a', '#55933f', '#2a5a2a'],
    ['#5f9c58', '#2d6a33', '#173f20'],
  ]
  return (
    heap(blob(where, seed, 0.1, 13), tones.leaf) +
    strips
      .map((spot, index) =>
        placed(spot, spot.turn, cord('M-13 3C-6 -7 5 8 13 -3', oneOf(colours, index), 6.4)),
      )
      .join('') +
    scattered(
      { ...where, rx: where.rx * 0.7, ry: where.ry * 0.64 },
      6,
      seed + 9,
      [tones.tomato, tones.onion],
      5,
    )
  )
}

/** Beans in gravy, each with its light. */
export const beans = (where: Oval, count: number, seed: number): Ink =>
  sauce(where, seed, ['#d98a5c', '#a8482a', '#6b2413']) +
  places({ ...where, rx: where.rx * 0.84, ry: where.ry * 0.82 }, count, seed)
    .map((spot) =>
      placed(
        spot,
        spot.turn,
        `${piece('M-10 1C-10 -7 -4 -8 0 -5.4C4 -8 10 -7 10 1C9 8 4 8 0 6.4C-4 8 -9 8 -10 1Z', tones.bean)}<ellipse cx="-4" cy="-3.4" rx="3" ry="1.2" fill="#fff" opacity=".55"/>`,
      ),
    )
    .join('')

/** Peas, round and shining. */
export const peas = (where: Oval, count: number, seed: number): Ink =>
  places(where, count, seed)
    .map(
      ({ x, y }) =>
        `${piece(blob({ x, y, rx: 6, ry: 6 }, 3, 0.02, 8), tones.pea)}<circle cx="${x - 2}" cy="${y - 3.4}" r="1.5" fill="#fff" opacity=".8"/>`,
    )
    .join('')

/** A drumstick, its bone to the right. */
export const drumstick = (spot: Spot, turn: number, scale = 1): Ink =>
  placed(
    spot,
    turn,
    `<g transform="scale(${scale})">${cord('M30 0L86 0', ['#ffffff', '#f7ead2', '#c9b48c'], 13)}
    ${heap('M90 -9C98 -16 106 -6 99 0C107 7 97 16 90 8Z', ['#ffffff', '#f7ead2', '#c9b48c'])}
    ${heap('M-62 2C-64 -34 -30 -48 4 -38C30 -30 44 -14 56 -7C60 -3 60 5 55 9C40 16 26 34 -4 40C-36 46 -60 32 -62 2Z', tones.chicken)}
    ${strand('M-44 -14C-30 -28 -10 -32 8 -27', '#ffe0a8', 5)}${strand('M-46 12C-40 24 -26 29 -12 28', '#8b4c1b', 4)}
    ${['M-30 -20L-18 16', 'M-8 -28L4 20', 'M14 -24L22 12'].map((line) => strand(line, '#7b3d12', 3.4)).join('')}</g>`,
  )

/** A whole bream, its head to the left. */
export const bream = (spot: Spot, turn: number): Ink => {
  const body =
    'M-112 4C-96 -30 -52 -56 4 -52C46 -48 74 -24 92 -8C104 -20 120 -38 132 -40C124 -18 122 14 134 38C118 34 104 20 92 10C72 30 44 50 2 52C-52 54 -96 34 -112 4Z'
  const scales = places({ x: 14, y: 0, rx: 62, ry: 36 }, 46, 5)
  return placed(
    spot,
    turn,
    `${heap('M-30 -48C-10 -74 30 -74 52 -42Z', ['#e8b06a', '#b9702f', '#70401a'])}${heap('M-14 50C0 70 26 66 34 46Z', ['#e8b06a', '#b9702f', '#70401a'])}
    ${heap(body, ['#f2cf94', '#d99b52', '#8f5a25'])}
    ${scales.map(({ x, y }) => strand(`M${x} ${y - 6}Q${x + 7} ${y} ${x} ${y + 6}`, '#a96a2c', 1.8)).join('')}
    ${['M-28 -42L-10 42', 'M10 -46L26 42', 'M48 -34L58 30'].map((line) => strand(line, '#6d3a12', 5)).join('')}
    ${strand('M-68 -34C-54 -12 -54 14 -66 36', '#93591f', 4)}
    <circle cx="-84" cy="-6" r="8" fill="#fff6e0"/><circle cx="-84" cy="-6" r="4.4" fill="#2b2118"/><circle cx="-85.6" cy="-7.8" r="1.5" fill="#fff"/>
    ${strand('M-110 8Q-102 11 -94 9', '#6d3a12', 2.6)}`,
  )
}

/** A round of something cut: the skin outside, the flesh, and a star of seeds where it has one. */
const round = ({ x, y }: Spot, size: number, [skin, flesh, mark]: Tone, seeded = true): Ink => {
  const seeds = seeded ? [0, 60, 120, 180, 240, 300] : []
  return `${piece(blob({ x, y, rx: size, ry: size * 0.94 }, 4, 0.03, 10), [flesh, skin, skin])}
  <circle cx="${x - 0.8}" cy="${y - 1.5}" r="${size * 0.8}" fill="${flesh}"/>
  ${seeds.map((turn) => `<ellipse cx="${x - 0.8}" cy="${y - 1.5 - size * 0.44}" rx="${size * 0.13}" ry="${size * 0.22}" fill="${mark}" transform="rotate(${turn} ${x - 0.8} ${y - 1.5})"/>`).join('')}`
}
export const tomatoRound = (spot: Spot, size: number) => round(spot, size, ['#c52f1f', '#f0644a', '#ffc27e'])
export const cucumberRound = (spot: Spot, size: number) =>
  round(spot, size, ['#3f7f38', '#dcefb4', '#a9cf7c'])
export const lemonRound = (spot: Spot, size: number) => round(spot, size, ['#e3b21f', '#fff0a0', '#f4d04a'])
export const eggRound = ({ x, y }: Spot, size: number): Ink =>
  `${piece(blob({ x, y, rx: size * 1.12, ry: size }, 6, 0.03, 10), tones.egg)}<circle cx="${x}" cy="${y - 1}" r="${size * 0.52}" fill="#f2a922"/><circle cx="${x - size * 0.16}" cy="${y - size * 0.24}" r="${size * 0.16}" fill="#ffe39a"/>`

/** A leaf on its stalk. */
export const leaf = (spot: Spot, turn: number, size: number, tone: Tone = tones.leaf): Ink =>
  placed(
    spot,
    turn,
    `<g transform="scale(${size / 20})">${piece('M-20 0C-12 -14 8 -14 20 0C8 13 -12 13 -20 0Z', tone)}${strand('M-18 -1L15 -1', tone[0], 1.6)}</g>`,
  )

/** A bed of frilled lettuce. */
export const lettuce = (where: Oval, count: number, seed: number): Ink => {
  const random = chance(seed)
  return places(where, count, seed)
    .map(
      (spot, index) =>
        piece(
          blob(
            { ...spot, rx: 24 + random() * 8, ry: 19 + random() * 6, turn: spot.turn },
            seed + index,
            0.2,
            15,
          ),
          index % 3 === 0 ? tones.leaf : tones.lettuce,
        ) + placed(spot, spot.turn, strand('M-18 0Q0 -4 16 2', '#e9f6c4', 2)),
    )
    .join('')
}
