import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { RecordedEvent } from '#platform/event-store/event-store'

/** One event of the history, its personal values in clear. Its line number is its place in the store. */
export type GoldenEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>

const path = join(process.cwd(), 'tests/golden/history.jsonl.gz')

export const readHistory = (): GoldenEvent[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenEvent)

/** Answers how many bytes the file has. */
export const writeHistory = (events: readonly GoldenEvent[]): number => {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`)
  const bytes = gzipSync(lines.join(''), { level: 9 })
  writeFileSync(path, bytes)
  return bytes.length
}
