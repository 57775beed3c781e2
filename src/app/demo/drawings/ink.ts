/** A piece of a drawing: SVG in a field of 480 by 360, with the light from the upper left. */
export type Ink = string

export type Spot = { x: number; y: number }

const rounded = (value: number): number => Math.round(value * 10) / 10

/** Numbers from 0 to 1 that look like chance and are always the same for a seed. */
export const chance = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** A closed soft line through these points. */
const softLine = (points: readonly Spot[]): string => {
  const at = (index: number) => points[(index + points.length) % points.length]!
  const curves = points.map((point, index) => {
    const [before, next, after] = [at(index - 1), at(index + 1), at(index + 2)]
    const numbers = [
      point.x + (next.x - before.x) / 6,
      point.y + (next.y - before.y) / 6,
      next.x - (after.x - point.x) / 6,
      next.y - (after.y - point.y) / 6,
      next.x,
      next.y,
    ]
    return `C${numbers.map(rounded).join(' ')}`
  })
  return `M${rounded(at(0).x)} ${rounded(at(0).y)}${curves.join('')}Z`
}

export type Oval = Spot & { rx: number; ry: number; turn?: number }

/** The outline of something soft: an oval that no mould has made. */
export const blob = ({ x, y, rx, ry, turn = 0 }: Oval, seed: number, wobble = 0.08, corners = 11): string => {
  const random = chance(seed)
  const tilt = (turn * Math.PI) / 180
  return softLine(
    Array.from({ length: corners }, (_, index) => {
      const angle = (index / corners) * 2 * Math.PI
      const far = 1 + (random() - 0.5) * 2 * wobble
      const [dx, dy] = [Math.cos(angle) * rx * far, Math.sin(angle) * ry * far]
      return {
        x: x + dx * Math.cos(tilt) - dy * Math.sin(tilt),
        y: y + dx * Math.sin(tilt) + dy * Math.cos(tilt),
      }
    }),
  )
}

/** So many places inside an oval, evenly and not in rows; those further down come later, and lie on top. */
export const places = ({ x, y, rx, ry }: Oval, count: number, seed: number): (Spot & { turn: number })[] => {
  const random = chance(seed)
  const golden = Math.PI * (3 - Math.sqrt(5))
  return Array.from({ length: count }, (_, index) => {
    const far = Math.sqrt((index + 0.5) / count)
    const angle = index * golden + random()
    return {
      x: rounded(x + Math.cos(angle) * rx * far + (random() - 0.5) * 4),
      y: rounded(y + Math.sin(angle) * ry * far + (random() - 0.5) * 4),
      turn: Math.round(random() * 360),
    }
  }).toSorted((one, other) => one.y - other.y)
}

/** One of these, by number. */
export const oneOf = <Value>(values: readonly Value[], index: number): Value => values[index % values.length]!

/** From light to deep: what catches the light, what it is, what lies in the shade. */
export type Tone = readonly [light: string, body: string, deep: string]

/** Something that stands up from the plate: its shadow, its edge in the shade, its body, and light from the upper left. */
export const heap = (outline: string, [, body, deep]: Tone): Ink =>
  `<path d="${outline}" fill="#43260f" opacity=".3" transform="translate(4 6)"/>
  <path d="${outline}" fill="${deep}"/>
  <g transform="translate(-1.5 -3)"><path d="${outline}" fill="${body}"/><path d="${outline}" fill="url(#shine)"/></g>`

/** The same, of a small piece. */
export const piece = (outline: string, [light, body, deep]: Tone): Ink =>
  `<path d="${outline}" fill="#43260f" opacity=".32" transform="translate(1.5 2.5)"/>
  <path d="${outline}" fill="${deep}"/>
  <path d="${outline}" fill="${body}" transform="translate(-.8 -1.5)"/>
  <path d="${outline}" fill="none" stroke="${light}" stroke-width="1.4" stroke-dasharray="40% 60%" opacity=".8" transform="translate(-.8 -1.5)"/>`

/** Placed at a spot and turned there. */
export const placed = ({ x, y }: Spot, turn: number, ink: Ink): Ink =>
  `<g transform="translate(${x} ${y}) rotate(${turn})">${ink}</g>`

/** A line of a soft thing: a noodle, a stalk, a mark of the grill. */
export const strand = (line: string, colour: string, width: number): Ink =>
  `<path d="${line}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`

/** A round strand with its shadow and its light. */
export const cord = (line: string, [light, body, deep]: Tone, width: number): Ink =>
  `<g transform="translate(1 2.2)" opacity=".35">${strand(line, '#43260f', width)}</g>
  ${strand(line, deep, width)}<g transform="translate(-.5 -.9)">${strand(line, body, width * 0.78)}</g>
  <g transform="translate(-1 -1.8)" opacity=".75">${strand(line, light, width * 0.22)}</g>`
