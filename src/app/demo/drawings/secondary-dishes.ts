import { burger, sandwichHalf } from './between-bread'
import { blob, cord, heap, type Ink, piece, placed, places, strand } from './ink'
import {
  beans,
  bream,
  cucumberRound,
  drumstick,
  eggRound,
  greens,
  leaf,
  lemonRound,
  lettuce,
  peas,
  sauce,
  sauces,
  scattered,
  tomatoRound,
  tones,
} from './relishes'
import { bar, chips, nest, nshima, riceMound } from './staples'
import { bowlRoom, cloths, inBowl, onPlate, plateRoom } from './tableware'

const herbs = (where: { x: number; y: number; rx: number; ry: number }, count: number, seed: number): Ink =>
  places(where, count, seed)
    .map((spot) => leaf(spot, spot.turn, 9))
    .join('')

const mushroom: Ink = `${piece('M-16 2C-18 -16 18 -16 16 2C8 6 6 4 5 8V18Q0 22 -5 18V8C-6 4 -8 6 -16 2Z', tones.mushroom)}${strand('M-9 0Q0 -5 9 0', '#9a7a52', 2)}`

const broccoli: Ink = `${piece('M-5 4H5L8 24H-8Z', ['#d9efa2', '#a8cf6d', '#5f8a35'])}${[
  [-12, -2],
  [10, -4],
  [-2, -13],
  [0, 2],
]
  .map(([x, y]) => piece(blob({ x: x!, y: y!, rx: 13, ry: 11 }, 5 + x!, 0.18, 11), tones.leaf))
  .join('')}`

/** Grilled meat cut into strips that lie side by side. */
const strips = (x: number, y: number, turn: number): Ink =>
  placed(
    { x, y },
    turn,
    [-36, -18, 0, 18, 36]
      .map((at, index) =>
        placed(
          { x: at, y: index % 2 ? 3 : -2 },
          8,
          piece(bar(16, 62 - Math.abs(at) / 3, 7), tones.chicken) +
            strand('M-6 -14L6 -10M-6 6L6 10', '#7b3d12', 3),
        ),
      )
      .join(''),
  )

const chilli = (x: number, y: number, turn: number): Ink =>
  placed(
    { x, y },
    turn,
    `${heap('M-40 4C-20 -16 16 -14 34 -2C14 2 -10 16 -40 4Z', ['#ff7d5e', '#d3261a', '#8f130d'])}${cord('M34 -3Q44 -6 48 -14', tones.leaf, 5)}${strand('M-22 -2Q-2 -9 16 -6', '#ffb19b', 3)}`,
  )

const naan = (x: number, y: number, turn: number): Ink =>
  placed(
    { x, y },
    turn,
    `${heap(blob({ x: 0, y: 0, rx: 62, ry: 40 }, 9, 0.08, 11), ['#fff0cf', '#f0cf93', '#b88a4b'])}${places(
      { x: 0, y: -3, rx: 48, ry: 28 },
      11,
      3,
    )
      .map((spot) => `<ellipse cx="${spot.x}" cy="${spot.y}" rx="6" ry="4.4" fill="#a8672c" opacity=".6"/>`)
      .join('')}`,
  )

/** A square of lasagne, its layers to be seen on two sides. */
const lasagne: Ink = `
${heap('M150 118Q150 108 160 107L312 98Q324 98 325 108L338 240Q338 252 326 254L166 268Q154 268 153 256Z', sauces.tomato)}
${['M154 246L338 230', 'M154 256L338 240'].map((line) => strand(line, '#f7dc95', 5)).join('')}
${heap('M148 106Q148 96 158 95L312 86Q324 86 325 96L336 214Q336 226 324 227L162 242Q151 242 150 230Z', ['#ffe9a8', '#f3c95b', '#bd842a'])}
${scattered(
  { x: 242, y: 164, rx: 78, ry: 60 },
  17,
  5,
  [
    ['#eaa04d', '#c46f2a', '#8a4316'],
    ['#fff0b9', '#ffdd7a', '#d29a2f'],
    ['#f0875f', '#cf4b2b', '#8c2815'],
  ],
  13,
)}
${herbs({ x: 242, y: 160, rx: 70, ry: 52 }, 7, 4)}`

/** The older children's and the teachers' dishes, by name. */
export const secondaryDrawings: Record<string, () => string> = {
  'Nshima & Village Chicken': () =>
    onPlate(
      cloths.clay,
      `${nshima({ x: 180, y: 146, rx: 68, ry: 54, turn: -20 }, 4)}${greens({ x: 182, y: 236, rx: 60, ry: 40 }, 8)}
      ${sauce({ x: 284, y: 188, rx: 64, ry: 80 }, 3, sauces.tomato)}
      ${drumstick({ x: 272, y: 156 }, -50, 0.86)}${drumstick({ x: 278, y: 222 }, -14, 0.8)}`,
    ),
  'Beef Curry & Rice': () =>
    onPlate(
      cloths.sky,
      `${riceMound({ x: 190, y: 172, rx: 72, ry: 90 }, 7, [
        ['#ffffff', '#fff2c4', '#d9b860'],
        ['#ffffff', '#fbf3df', '#cfbf9a'],
      ])}
      ${sauce({ x: 286, y: 158, rx: 68, ry: 72 }, 6, sauces.curry)}${scattered({ x: 286, y: 154, rx: 50, ry: 52 }, 12, 5, [tones.beef, tones.beef, tones.potato], 15)}
      ${herbs({ x: 286, y: 150, rx: 48, ry: 44 }, 8, 9)}${naan(274, 254, -8)}`,
    ),
  'Pasta Alfredo': () =>
    onPlate(
      cloths.rose,
      `${nest(plateRoom, 9, { tone: ['#fffdf0', '#f7e4b0', '#bf9f60'], width: 11, strands: 30 })}${sauce({ x: 240, y: 170, rx: 58, ry: 46 }, 11, sauces.white)}
      ${[
        [200, 150, -20],
        [262, 142, 24],
        [236, 196, 160],
        [288, 198, 80],
        [188, 214, -70],
      ]
        .map(([x, y, turn]) => placed({ x: x!, y: y! }, turn!, mushroom))
        .join('')}
      ${herbs({ x: 240, y: 176, rx: 80, ry: 74 }, 16, 5)}`,
    ),
  Lasagne: () =>
    onPlate(
      cloths.butter,
      `${sauce({ x: 236, y: 190, rx: 106, ry: 92 }, 14, sauces.tomato)}${lasagne}${leaf({ x: 246, y: 150 }, 30, 24)}${leaf({ x: 274, y: 160 }, 130, 20)}`,
    ),
  'Kariba Bream': () =>
    onPlate(
      cloths.sand,
      `${greens({ x: 196, y: 254, rx: 66, ry: 32 }, 3)}${nshima({ x: 300, y: 246, rx: 46, ry: 36, turn: -16 }, 6)}${bream({ x: 236, y: 156 }, -8)}
      ${tomatoRound({ x: 230, y: 158 }, 20)}${tomatoRound({ x: 262, y: 144 }, 18)}
      ${[
        [204, 138],
        [284, 166],
      ]
        .map(([x, y]) => cord(`M${x! - 14} ${y}a14 11 0 1 0 28 0a14 11 0 1 0 -28 0`, tones.onion, 5))
        .join('')}${lemonRound({ x: 316, y: 92 }, 20)}`,
    ),
  'Peri-Peri Burger': () =>
    onPlate(
      cloths.sky,
      `${sauce({ x: 304, y: 258, rx: 40, ry: 26 }, 5, sauces.peri)}${chips({ x: 308, y: 140, rx: 34, ry: 52 }, 16, 9)}
      ${burger(['#e0703a', '#b03f17', '#6e220a'], ['#d08a4a', '#9c5523', '#5c2d0f'], false)}
      ${['M136 146L212 118', 'M132 168L236 130', 'M142 188L244 150', 'M162 202L238 174'].map((line) => strand(line, '#57290c', 5.5)).join('')}${chilli(282, 214, -28)}`,
    ),
  'Chicken Salad Bowl': () =>
    inBowl(
      cloths.butter,
      `${lettuce(bowlRoom, 34, 5)}${strips(206, 158, -24)}${eggRound({ x: 292, y: 152 }, 25)}${eggRound({ x: 306, y: 202 }, 23)}
      ${tomatoRound({ x: 248, y: 236 }, 23)}${tomatoRound({ x: 204, y: 240 }, 20)}${cucumberRound({ x: 160, y: 216 }, 22)}${cucumberRound({ x: 262, y: 102 }, 21)}${cucumberRound({ x: 288, y: 248 }, 19)}
      ${peas({ x: 240, y: 190, rx: 70, ry: 60 }, 5, 8)}`,
    ),
  'Stir-Fry Noodles': () =>
    inBowl(
      cloths.rose,
      `${nest(bowlRoom, 6, { tone: ['#f0b56a', '#c07a2e', '#6f3d10'], width: 6, strands: 52 })}
      ${[
        [186, 150, -20],
        [284, 216, 30],
        [226, 236, 200],
      ]
        .map(([x, y, turn]) => placed({ x: x!, y: y! }, turn!, broccoli))
        .join('')}
      ${places({ x: 240, y: 180, rx: 86, ry: 82 }, 16, 7)
        .map((spot, index) =>
          placed(
            spot,
            spot.turn,
            cord('M-20 4Q0 -10 20 4', [tones.tomato, tones.carrot, tones.cheese][index % 3]!, 8),
          ),
        )
        .join('')}
      ${places({ x: 240, y: 180, rx: 80, ry: 76 }, 22, 4)
        .map(
          (spot) =>
            `<ellipse cx="${spot.x}" cy="${spot.y}" rx="3.4" ry="2" fill="#fff0cd" transform="rotate(${spot.turn} ${spot.x} ${spot.y})"/>`,
        )
        .join('')}`,
    ),
  'Toasted Sandwich': () =>
    onPlate(
      cloths.sage,
      `${chips({ x: 318, y: 150, rx: 26, ry: 50 }, 12, 6)}${sandwichHalf(206, 152, -14)}${sandwichHalf(250, 222, 10)}${lettuce({ x: 160, y: 254, rx: 20, ry: 12 }, 3, 4)}${tomatoRound({ x: 166, y: 246 }, 17)}`,
    ),
  'Bean Stew': () =>
    inBowl(
      cloths.sand,
      `${sauce(bowlRoom, 5, ['#d98a5c', '#a8482a', '#6b2413'])}${beans({ x: 240, y: 180, rx: 118, ry: 116 }, 78, 6)}${scattered({ x: 240, y: 180, rx: 86, ry: 84 }, 9, 4, [tones.carrot, tones.tomato], 9)}
      ${herbs({ x: 244, y: 178, rx: 70, ry: 66 }, 9, 8)}`,
      nshima({ x: 362, y: 290, rx: 84, ry: 58, turn: -14 }, 3),
    ),
}
