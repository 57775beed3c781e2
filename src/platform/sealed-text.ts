import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM in base64url with a key of 32 bytes, bound to `owner`. */
export const sealText = (text: string, key: Buffer, owner: number | string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(String(owner)))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Null for another key or owner, or changed text. */
export const openText = (sealed: string, key: Buffer, owner: number | string): string | null => {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(String(owner)))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    const body = bytes.subarray(ivBytes + tagBytes)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
