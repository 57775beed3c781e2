import { setImmediate } from 'node:timers/promises'

/**
 * The bytes in slices of 64 KiB, so that whoever reads them can stop before all of it is in memory, and other requests
 * get their turn in between.
 */
export const inSlices = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  const size = 65_536
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
    await setImmediate()
  }
}
