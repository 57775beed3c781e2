import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** Elements by name, in the order they are to be written; a list repeats its element. */
export type XmlTree = { [name: string]: string | XmlTree | XmlTree[] }

/** A document with this one root; text is escaped, and characters that XML does not know are left out. */
export const writeXml = (root: string, children: XmlTree): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${element(root, children)}`

const element = (name: string, content: string | XmlTree | XmlTree[]): string => {
  if (Array.isArray(content)) return content.map((one) => element(name, one)).join('')
  const inside =
    typeof content === 'string'
      ? escaped(content)
      : Object.entries(content)
          .map(([child, value]) => element(child, value))
          .join('')
  return `<${name}>${inside}</${name}>`
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) => text.replaceAll(notInXml, '').replaceAll(/[&<>"']/g, (sign) => signs[sign]!)

/** What an element holds: text, elements, or (repeated) several of either. */
export type XmlNode = string | XmlElements | XmlNode[]
export type XmlElements = { [name: string]: XmlNode }

export type XmlRead = { kind: 'read'; elements: XmlElements } | { kind: 'doctype' } | { kind: 'not-xml' }

// Values stay text: as numbers 000 would become 0. The five entities of XML itself are read; a DTD never comes so far.
const parser = new XMLParser({
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: true,
  htmlEntities: false,
  maxNestedTags: 20,
})

/** Reads well-formed XML as nested text. A document type anywhere, even in a comment, is refused unread. */
export const readXml = (text: string): XmlRead => {
  if (/<!(?:doctype|entity)/i.test(text)) return { kind: 'doctype' }
  try {
    const document = text.trim()
    if (XMLValidator.validate(document) !== true) return { kind: 'not-xml' }
    return { kind: 'read', elements: parser.parse(document) as XmlElements }
  } catch {
    return { kind: 'not-xml' }
  }
}

/** The elements inside the one element of that name; null when there is none or several, or when it holds text. */
export const insideOf = (elements: XmlElements, name: string): XmlElements | null => {
  const node = Object.hasOwn(elements, name) ? elements[name] : undefined
  return typeof node === 'object' && !Array.isArray(node) ? node : null
}

/** The text of the one element of that name; null when there is none or several, or when it holds elements. */
export const textOf = (elements: XmlElements, name: string): string | null => {
  const node = Object.hasOwn(elements, name) ? elements[name] : undefined
  return typeof node === 'string' ? node : null
}
