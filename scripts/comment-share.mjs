import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const maxPercent = 5

/** Counts non-empty lines, and those that are only a comment. */
export const linesOf = (text) => {
  let [lines, comments, inside] = [0, 0, false]
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '') continue
    lines += 1
    if (!inside && !/^(\/\/|\/\*|\{\/\*)/.test(line)) continue
    comments += 1
    inside = !line.startsWith('//') && !line.includes('*/')
  }
  return { lines, comments }
}

/** Percent of comment lines in the TypeScript files of a folder. Throws where there are none. */
export const commentShare = (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  if (files.length === 0) throw new Error(`No TypeScript in ${folder}`)
  const counts = files.map((name) => linesOf(readFileSync(join(folder, name), 'utf8')))
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0)
  return (100 * sum('comments')) / sum('lines')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of ['src', 'web']) {
    const share = commentShare(folder)
    console.log(`${folder}: ${share.toFixed(1)} % of the lines are comments`)
    if (share > maxPercent) {
      console.error(
        `At most ${maxPercent} %: delete comments that repeat a name or a type, shorten the others.`,
      )
      process.exitCode = 1
    }
  }
}
