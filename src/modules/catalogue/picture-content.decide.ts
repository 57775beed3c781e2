import { refused } from './refusals'

type Kind = 'jpeg' | 'png' | 'webp'

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

const startsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, place) => bytes[place] === byte)

const jpegStart = [0xff, 0xd8, 0xff]
const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const kindOf = (bytes: Uint8Array): Kind | null => {
  if (startsWith(bytes, jpegStart)) return 'jpeg'
  if (startsWith(bytes, pngStart)) return 'png'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp'
  return null
}

/** An animated PNG declares it in a chunk before its first picture. */
const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = pngStart.length; at + 8 <= bytes.length;) {
    const name = latin(bytes, at + 4, at + 8)
    if (name === 'acTL') return true
    if (name === 'IDAT') return false
    at += 12 + view.getUint32(at)
  }
  return false
}

const animationFlag = 0x02
const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  latin(bytes, 12, 16) === 'VP8X' && (bytes[20]! & animationFlag) !== 0

const isAnimated = (kind: Kind, bytes: Uint8Array): boolean => {
  if (kind === 'png') return isAnimatedPng(bytes)
  return kind === 'webp' && isAnimatedWebp(bytes)
}

const takes = 'Choose a JPEG, PNG or WebP picture.'

const knownOthers: readonly { is: (bytes: Uint8Array) => boolean; words: string }[] = [
  { is: (bytes) => latin(bytes, 0, 4) === 'GIF8', words: 'A GIF cannot be used.' },
  {
    is: (bytes) => /^ftyp(hei[cfsx]|hev[cx]|mif1|msf1)/.test(latin(bytes, 4, 12)),
    words: 'A HEIC picture cannot be used: let the phone save it as JPEG ("most compatible").',
  },
  { is: (bytes) => /<svg[\s>]/i.test(latin(bytes, 0, 1024)), words: 'A drawing (SVG) cannot be used.' },
  { is: (bytes) => latin(bytes, 0, 5) === '%PDF-', words: 'A PDF cannot be used.' },
]

/** Checks the first bytes, not name or type, so that only JPEG, PNG and WebP are decoded. Throws `not_a_picture` or `picture_animated`. */
export const assertPicture = (bytes: Uint8Array): void => {
  const kind = kindOf(bytes)
  if (kind === null) {
    const other = knownOthers.find(({ is }) => is(bytes))
    throw refused('not_a_picture', `${other?.words ?? 'This file is not a picture.'} ${takes}`)
  }
  if (isAnimated(kind, bytes))
    throw refused('picture_animated', 'An animated picture cannot be used. Choose a still one.')
}
