import type { Ink } from './ink'

const shine = `
<radialGradient id="shine" cx=".32" cy=".26" r=".85">
  <stop offset="0" stop-color="#fff" stop-opacity=".42"/><stop offset=".45" stop-color="#fff" stop-opacity=".04"/>
  <stop offset="1" stop-color="#3a1d06" stop-opacity=".26"/>
</radialGradient>
<radialGradient id="glaze" cx=".36" cy=".3" r=".8">
  <stop offset="0" stop-color="#fffdf8"/><stop offset=".7" stop-color="#f8efde"/><stop offset="1" stop-color="#e6d6ba"/>
</radialGradient>
<radialGradient id="well" cx=".6" cy=".64" r=".62">
  <stop offset="0" stop-color="#fffaf0"/><stop offset=".8" stop-color="#f6ecd9"/><stop offset="1" stop-color="#dccaa9"/>
</radialGradient>
<radialGradient id="clay" cx=".36" cy=".3" r=".8">
  <stop offset="0" stop-color="#4d8a62"/><stop offset=".7" stop-color="#2f6a48"/><stop offset="1" stop-color="#1d4630"/>
</radialGradient>
<filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="7"/></filter>`

/** The cloth under the plate, in a colour and with a woven border of its own. */
const cloth = ([ground, thread]: Cloth): Ink => `
<rect width="480" height="360" fill="${ground}"/>
<g fill="none" stroke="${thread}" stroke-width="5" opacity=".5">
  <path d="M0 26H480M0 334H480"/><path d="M0 14H480M0 346H480" stroke-width="2"/>
</g>`

export type Cloth = readonly [ground: string, thread: string]
export const cloths = {
  sand: ['#ead8b6', '#c98a4b'],
  sage: ['#cbd8bd', '#6f9a70'],
  clay: ['#e9bf99', '#b5652f'],
  butter: ['#f2dd9f', '#cf9a3a'],
  sky: ['#c6d6da', '#6c94a0'],
  rose: ['#ecc6b4', '#bd6a55'],
} satisfies Record<string, Cloth>

const drawing = (on: Cloth, inside: Ink): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" width="640" height="480"><defs>${shine}</defs>${cloth(on)}${inside}</svg>`

/** Larger, from the middle. */
const nearer = (food: Ink, scale: number): Ink =>
  `<g transform="translate(240 180) scale(${scale}) translate(-240 -180)">${food}</g>`

/** A round plate with a green line, and what is on it. */
export const onPlate = (on: Cloth, food: Ink): string =>
  drawing(
    on,
    `<circle cx="250" cy="193" r="166" fill="#4a2c10" opacity=".38" filter="url(#soft)"/>
    <circle cx="240" cy="180" r="168" fill="url(#glaze)"/>
    <circle cx="240" cy="180" r="159" fill="none" stroke="#2f6a48" stroke-width="3.5" opacity=".75"/>
    <circle cx="240" cy="180" r="154" fill="none" stroke="#cf6523" stroke-width="1.2" opacity=".6"/>
    <circle cx="240" cy="180" r="138" fill="url(#well)"/>${nearer(food, 1.16)}`,
  )

/** A deep bowl of green glaze, filled to its inner edge, and what lies beside it. */
export const inBowl = (on: Cloth, food: Ink, beside: Ink = ''): string =>
  drawing(
    on,
    `<circle cx="251" cy="195" r="164" fill="#4a2c10" opacity=".42" filter="url(#soft)"/>
    <circle cx="240" cy="180" r="166" fill="url(#clay)"/>
    <circle cx="240" cy="180" r="157" fill="none" stroke="#8dbb9b" stroke-width="2.4" opacity=".7"/>
    <circle cx="240" cy="180" r="145" fill="#173a27"/>
    <clipPath id="inside"><circle cx="240" cy="180" r="142"/></clipPath>
    <g clip-path="url(#inside)">${nearer(food, 1.2)}</g>
    <circle cx="240" cy="180" r="143" fill="none" stroke="#0d2418" stroke-width="5" opacity=".5"/>${beside}`,
  )

/** How much of a bowl and of a plate food may fill. */
export const bowlRoom = { x: 240, y: 180, rx: 116, ry: 116 }
export const plateRoom = { x: 240, y: 180, rx: 108, ry: 104 }
