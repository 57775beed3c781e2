import { blob, cord, heap, type Ink, piece, placed, places, strand, type Tone } from './ink'
import {
  drumstick,
  greens,
  leaf,
  lemonRound,
  lettuce,
  peas,
  sauce,
  sauces,
  scattered,
  tones,
} from './relishes'
import { burger } from './between-bread'
import { bar, bun, chips, macaroni, nest, nshima, riceMound } from './staples'
import { bowlRoom, cloths, inBowl, onPlate, plateRoom } from './tableware'

const fish: Tone = ['#ffd692', '#e59a3d', '#a05d1b']

/** Half of a wrap, cut across: the roll from the side, its filling to the right. */
const wrapHalf = (turn: number, x: number, y: number): Ink =>
  placed(
    { x, y },
    turn,
    `${heap('M-92 -36C-104 -20 -104 22 -92 37L44 41C60 30 60 -30 44 -41Z', ['#fff0cf', '#eccb91', '#b88a4b'])}
    ${places({ x: -26, y: 0, rx: 56, ry: 28 }, 15, 8)
      .map(
        (spot) =>
          `<ellipse cx="${spot.x}" cy="${spot.y - 3}" rx="6" ry="4" fill="#b9783a" opacity=".55" transform="rotate(${spot.turn} ${spot.x} ${spot.y})"/>`,
      )
      .join('')}
    ${piece(blob({ x: 46, y: -1, rx: 26, ry: 41 }, 5, 0.03, 12), ['#fff0cf', '#f4dcab', '#b88a4b'])}
    ${piece(blob({ x: 47, y: -1, rx: 20, ry: 33 }, 7, 0.1, 12), tones.lettuce)}
    ${scattered({ x: 47, y: -2, rx: 13, ry: 24 }, 13, 6, [tones.chicken, tones.tomato, tones.cheese, tones.chicken], 7)}`,
  )

/** The younger children's dishes, by name. */
export const primaryDrawings: Record<string, () => string> = {
  'Nshima Plate': () =>
    onPlate(
      cloths.sand,
      `${nshima({ x: 186, y: 142, rx: 62, ry: 44, turn: -18 }, 2)}${nshima({ x: 290, y: 130, rx: 56, ry: 40, turn: 14 }, 5)}
      ${greens({ x: 184, y: 232, rx: 66, ry: 46 }, 4)}${sauce({ x: 298, y: 224, rx: 58, ry: 50 }, 6, sauces.tomato)}
      ${scattered({ x: 298, y: 220, rx: 40, ry: 32 }, 9, 3, [tones.beef], 13)}`,
    ),
  'Chicken & Rice': () =>
    onPlate(
      cloths.butter,
      `${riceMound({ x: 182, y: 164, rx: 78, ry: 84 }, 3)}${sauce({ x: 284, y: 150, rx: 66, ry: 56 }, 5, sauces.gravy)}
      ${drumstick({ x: 276, y: 142 }, -24, 0.92)}
      ${places({ x: 278, y: 238, rx: 46, ry: 22 }, 11, 7)
        .map((spot) => placed(spot, (spot.turn % 60) - 30, cord('M-26 3Q0 -7 26 2', tones.pea, 7.5)))
        .join('')}`,
    ),
  'Spaghetti Bolognese': () =>
    onPlate(
      cloths.sage,
      `${nest(plateRoom, 4)}${sauce({ x: 240, y: 172, rx: 66, ry: 58 }, 8, sauces.tomato)}
      ${scattered({ x: 240, y: 168, rx: 52, ry: 44 }, 34, 5, [tones.beef, ['#d9663f', '#a3361d', '#6b1d0f']], 7)}
      ${leaf({ x: 232, y: 152 }, 30, 22)}${leaf({ x: 258, y: 160 }, 130, 20)}`,
    ),
  'Macaroni Cheese': () =>
    inBowl(
      cloths.rose,
      `${macaroni(bowlRoom, 7)}${scattered({ x: 240, y: 176, rx: 92, ry: 86 }, 46, 6, [['#f3b866', '#c9772b', '#8a4813'], tones.cheese], 4)}
      ${leaf({ x: 244, y: 164 }, -30, 14)}${leaf({ x: 262, y: 172 }, 50, 13)}`,
    ),
  'Fish Fingers & Chips': () =>
    onPlate(
      cloths.sky,
      `${chips({ x: 186, y: 154, rx: 62, ry: 64 }, 34, 4)}${peas({ x: 190, y: 248, rx: 52, ry: 22 }, 40, 6)}
      ${[120, 158, 196]
        .map((y, index) =>
          placed(
            { x: 296 - index * 5, y },
            -12,
            heap(bar(116, 31, 9), fish) +
              places({ x: 0, y: -2, rx: 50, ry: 10 }, 26, index + 2)
                .map(
                  (spot) =>
                    `<circle cx="${spot.x}" cy="${spot.y}" r="2.2" fill="${index % 2 ? '#ffe0a6' : '#c77a26'}" opacity=".7"/>`,
                )
                .join(''),
          ),
        )
        .join('')}
      ${lemonRound({ x: 302, y: 250 }, 27)}`,
    ),
  'Beef Stew & Sweet Potato': () =>
    onPlate(
      cloths.sage,
      `${sauce({ x: 276, y: 190, rx: 82, ry: 82 }, 6, sauces.gravy)}${scattered({ x: 276, y: 184, rx: 62, ry: 60 }, 17, 4, [tones.beef, tones.beef, tones.carrot], 15)}
      ${[
        [158, 122, -30],
        [140, 166, 10],
        [150, 212, 30],
        [182, 246, 60],
      ]
        .map(([x, y, turn]) =>
          placed(
            { x: x!, y: y! },
            turn!,
            heap(blob({ x: 0, y: 0, rx: 36, ry: 28 }, 5, 0.04, 12), ['#f6a767', '#a3552f', '#713317']) +
              `<ellipse cx="-1" cy="-4" rx="31" ry="23" fill="#f29440"/><ellipse cx="-7" cy="-9" rx="15" ry="8" fill="#ffc17c" opacity=".7"/>`,
          ),
        )
        .join('')}
      ${leaf({ x: 268, y: 160 }, 30, 15)}${leaf({ x: 294, y: 214 }, 120, 14)}`,
    ),
  'Friday Burger': () =>
    onPlate(
      cloths.clay,
      `${chips({ x: 306, y: 182, rx: 38, ry: 78 }, 26, 5)}${burger(tones.beef, ['#f6c983', '#dc9a50', '#8e5221'], true)}`,
    ),
  'Little Wrap': () =>
    onPlate(
      cloths.butter,
      `${lettuce({ x: 240, y: 180, rx: 92, ry: 80 }, 9, 6)}${wrapHalf(-24, 234, 140)}${wrapHalf(-24, 256, 232)}`,
    ),
  'Vegetable Fried Rice': () =>
    inBowl(
      cloths.clay,
      `${riceMound(bowlRoom, 5, [
        ['#fff0c0', '#edcb83', '#a97a34'],
        ['#ffe7a8', '#e2b765', '#a97a34'],
      ])}
      ${scattered({ x: 240, y: 178, rx: 92, ry: 90 }, 20, 9, [tones.carrot, tones.carrot, tones.cheese], 8)}
      ${scattered({ x: 244, y: 178, rx: 84, ry: 82 }, 9, 12, [['#fff6b8', '#ffdf6b', '#d9a52c']], 14)}${peas({ x: 240, y: 176, rx: 92, ry: 90 }, 26, 4)}`,
    ),
  'Soup & Bread': () =>
    inBowl(
      cloths.sage,
      `<circle cx="240" cy="180" r="122" fill="#e8862a"/><circle cx="240" cy="180" r="122" fill="url(#shine)"/>
      ${strand('M176 188C186 136 262 122 296 160C320 196 284 234 240 226C204 218 206 178 240 172C262 168 272 186 258 198', '#fff1cf', 9)}
      ${places({ x: 236, y: 182, rx: 82, ry: 80 }, 12, 5)
        .map((spot) =>
          placed(
            spot,
            spot.turn,
            piece('M-9 0C-5 -6 5 -5 10 0C5 5 -5 6 -9 0Z', ['#b9c97a', '#7d9445', '#4d5f26']),
          ),
        )
        .join('')}`,
      `${bun({ x: 344, y: 274, rx: 76, ry: 62 }, 8, { seeds: false })}${strand('M306 256Q340 236 384 252', '#fbe3b4', 6)}${strand('M302 282Q342 258 392 278', '#fbe3b4', 6)}`,
    ),
}
