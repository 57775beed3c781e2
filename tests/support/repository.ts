import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')

/** A file of the repository as text. */
export const fileText = (path: string): string => readFileSync(join(root, path), 'utf8')
export const fileIsThere = (path: string): boolean => existsSync(join(root, path))

// It knows anchors and merge keys.
const { safeLoad } = require('js-yaml') as { safeLoad: (text: string) => unknown }

/** A YAML file of the repository, parsed; throws where it is none. */
export const yamlFile = <Shape>(path: string): Shape => yamlText(fileText(path))
export const yamlText = <Shape>(text: string): Shape => safeLoad(text) as Shape

/** The variables that a file of `NAME=value` lines sets. */
export const variablesIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    fileText(path)
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The cells of each row of the Markdown table under the heading, the head left out; code marks taken off the first. */
export const tableUnder = (markdown: string, heading: string): string[][] => {
  const section = sectionUnder(markdown, heading)
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

/** The text from a heading to the next one. */
const sectionUnder = (markdown: string, heading: string): string => {
  const lines = markdown.split('\n')
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (from < 0) throw new Error(`There is no heading "${heading}"`)
  const length = lines.slice(from + 1).findIndex((line) => /^#+ /.test(line))
  return lines.slice(from + 1, length < 0 ? undefined : from + 1 + length).join('\n')
}

/** What links to a heading: lower case, words joined by hyphens, as GitHub does. */
export const anchorsOf = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
