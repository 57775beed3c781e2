// `npm run docs:words`: prints every text that somebody reads (refusals, hints, labels, mails, SMS, log lines) as `place: text`, so that all
// can be read in one sitting; `npm run docs:words -- PATH …` prints those below the paths.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'

const filesBelow = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .toSorted()
        .map((name) => join(path, name))
    : [path]

const unreadAttributes =
  /^(?:autoComplete|className|d|href|htmlFor|icon|id|key|name|rel|role|to|type|viewBox|pattern)$/
const isSql = (text) => /^\s*(?:alter|create|delete|insert|select|update|with)\b/.test(text)
const isCode = (text) => /^[\p{Lu}\d_]+$/u.test(text)
const isSentence = (text) =>
  /\p{L}{2}/u.test(text) && !isCode(text) && (/^[^\p{L}]*\p{Lu}/u.test(text) || /\w [\w ]*[.?!]$/.test(text))

/** What a node shows to a reader; expressions inside a template are `…`. */
const textOf = ({ type, value, quasis }) => {
  if (type === 'JSXText') return /\w/.test(value) ? value : ''
  if (type === 'StringLiteral') return isSentence(value) ? value : ''
  if (type !== 'TemplateLiteral' || !quasis) return ''
  const text = quasis.map(({ cooked }) => cooked).join('…')
  return /\p{L} |, | \p{L}/u.test(text) && !isSql(text) ? text : ''
}

const isUnread = ({ type, name }) =>
  /^(?:Import|Export(?:All|Named)Declaration)/.test(type ?? '') ||
  (type === 'JSXAttribute' && unreadAttributes.test(name.value))

/** Texts of a module with their lines, counted from 1. */
export const textsIn = (source, isTsx) => {
  const texts = []
  const { body, span } = parseSync(source, { syntax: 'typescript', tsx: isTsx })
  const bytes = Buffer.from(source)
  const lineOf = (node) =>
    bytes
      .subarray(0, node.span.start - span.start)
      .toString()
      .split('\n').length
  const visit = (node) => {
    if (node === null || typeof node !== 'object' || isUnread(node)) return
    const text = textOf(node)
    const blankLines = text.match(/^\s*/)[0].split('\n').length - 1
    if (text !== '')
      texts.push({ line: lineOf(node) + blankLines, text: text.replaceAll(/\s+/g, ' ').trim() })
    Object.values(node).forEach(visit)
  }
  visit(body)
  return texts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2)
  for (const file of (asked.length > 0 ? asked : ['src', 'web']).flatMap(filesBelow))
    for (const { line, text } of textsIn(readFileSync(file, 'utf8'), file.endsWith('x')))
      console.log(`${file}:${line}: ${text}`)
}
