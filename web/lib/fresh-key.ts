/** A random key for Idempotency-Key: 32 hex digits. Also works on a page without TLS, unlike `crypto.randomUUID`. */
export const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
