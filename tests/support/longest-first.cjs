const { statSync } = require('node:fs')
const { default: Sequencer } = require('@jest/test-sequencer')

// What is timed comes last, when the other workers have nothing left to do.
const timed = /-speed\.e2e\.test\.ts$/

// What a file of each kind takes where it never ran before, in ms: at least this, and some more for each byte.
const kinds = [
  { kind: /\/tests\/entries\//, least: 60_000, perByte: 10 },
  { kind: /\/tests\/crash\//, least: 60_000, perByte: 0 },
  { kind: /\.e2e\.test\.ts$/, least: 15_000, perByte: 1 },
  { kind: /\/tests\/survival\/|embedded-postgres/, least: 10_000, perByte: 1 },
  { kind: /\.int\.test\.ts$/, least: 500, perByte: 1 },
  { kind: /\.web\.test\.tsx$/, least: 0, perByte: 0.5 },
  { kind: /./, least: 0, perByte: 0.1 },
]

/**
 * The longest files first, so that no worker waits at the end for another's long one. Jest knows how long a file took
 * the last time; in a fresh clone it would go by the size of the file, and begin the crashes, the longest of all, last.
 */
module.exports = class extends Sequencer {
  time(test) {
    return timed.test(test.path) ? 0 : (super.time(test) ?? expectedMs(test.path))
  }
}

const expectedMs = (path) => {
  const { least, perByte } = kinds.find(({ kind }) => kind.test(path))
  return least + perByte * statSync(path).size
}
