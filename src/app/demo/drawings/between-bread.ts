import { blob, heap, type Ink, piece, placed, places, strand, type Tone } from './ink'
import { scattered, tomatoRound, tones } from './relishes'
import { bun, slice } from './staples'

/** A burger opened by the light: the bun a little aside, so that one sees what is in it. */
export const burger = (meat: Tone, bread: Tone, seeds: boolean): Ink =>
  `${heap(blob({ x: 196, y: 190, rx: 84, ry: 80 }, 3, 0.03, 14), bread)}
  ${places({ x: 200, y: 188, rx: 82, ry: 76 }, 18, 4)
    .map((spot, index) =>
      piece(blob({ ...spot, rx: 24, ry: 19, turn: spot.turn }, index + 4, 0.2, 15), tones.lettuce),
    )
    .join('')}
  ${heap(blob({ x: 202, y: 196, rx: 78, ry: 74 }, 9, 0.06, 15), meat)}
  ${heap('M128 192L206 128L284 190L206 262Z', tones.cheese)}
  ${tomatoRound({ x: 244, y: 216 }, 30)}${tomatoRound({ x: 192, y: 236 }, 28)}
  ${bun({ x: 186, y: 160, rx: 80, ry: 72 }, 6, { seeds, tone: bread })}`

/** Half of a toasted sandwich, its cut edge below. */
export const sandwichHalf = (x: number, y: number, turn: number): Ink =>
  placed(
    { x, y },
    turn,
    `${heap('M-78 46L78 46L0 -62Z', ['#f6c983', '#b9722f', '#7c4517'])}
    ${heap('M-80 40L80 40L66 52L-66 52Z', tones.cheese)}${scattered({ x: 0, y: 49, rx: 60, ry: 3 }, 9, 4, [tones.lettuce, tones.tomato], 7)}
    ${slice('M-76 34Q-82 32 -76 24L-6 -66Q0 -72 6 -66L76 24Q82 32 76 34Z', true)}
    ${['M-50 20L-8 -36', 'M-22 24L18 -30', 'M8 26L40 -16', 'M38 26L58 0'].map((line) => strand(line, '#8f5220', 5)).join('')}`,
  )
