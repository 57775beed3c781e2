import { createHmac, hkdfSync, randomInt } from 'node:crypto'

// Without vowels a code is no word, and without I, L, O, Q and U nothing in it looks like something else.
const letters = 'BCDFGHJKMNPRSTVWXYZ'

/** 8 letters. */
export const newClaimCode = (): string =>
  Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

const keyFrom = (signingKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, '', 'tuckshop claim code', 32))

const hash = (code: string, key: Buffer): string =>
  createHmac('sha256', key)
    .update(code.toUpperCase().replaceAll(/[^A-Z]/g, ''))
    .digest('base64url')

/**
 * A code as the tables have it. The keys are made from those that sign sessions, which are not in the database: whoever reads
 * tables or a backup claims no child, and an old key that is taken away takes its codes with it.
 */
export const claimCodeHashes = (signingKeys: readonly string[]) => {
  const keys = signingKeys.map(keyFrom)
  return {
    /** Under which a new code is stored. */
    stored: (code: string): string => hash(code, keys[0]!),
    /** Under which a code may be found; small letters and what stands between letters do not matter. */
    sought: (code: string): string[] => keys.map((key) => hash(code, key)),
  }
}
