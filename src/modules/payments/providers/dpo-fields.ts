import { ngweeFromDecimal } from '#kernel/money'
import type { Ngwee } from '#kernel/money'
import { insideOf, readXml, textOf } from './dpo-xml'
import type { XmlElements, XmlNode } from './dpo-xml'
import type { Unreachable, UnreachableWhy } from './provider'

/** The fields of an answer: `text` of the first of these names that has any, cleaned and without our credential. */
export type DpoFields = { text: (...names: string[]) => string | null; elements: XmlElements }

/** An answer with its result code; `explanation` is empty when none came with it. */
export type DpoReply = { kind: 'reply'; code: string; explanation: string; fields: DpoFields }

/**
 * Reads an answer in either envelope, `Result`/`ResultExplanation` or `Code`/`Explanation` (payments.md section 2).
 * What is not one unmistakable code inside one `API3G` is unreachable.
 */
export const readReply = (xml: string, companyToken: string): DpoReply | Unreachable => {
  const read = readXml(xml)
  if (read.kind !== 'read') return unreachable(read.kind)
  const elements = insideOf(read.elements, 'API3G')
  if (!elements) return unreachable('no-code')
  const fields = fieldsIn(elements, companyToken)
  const codes = [fields.text('Result'), fields.text('Code')].filter((code) => code !== null)
  const [code] = codes
  if (code === undefined || codes.length > 1) return unreachable('no-code')
  if (isRepeated(elements, 'Result') || isRepeated(elements, 'Code')) return unreachable('no-code')
  return { kind: 'reply', code, explanation: fields.text('ResultExplanation', 'Explanation') ?? '', fields }
}

export const unreachable = (why: UnreachableWhy, detail: string | null = null): Unreachable => ({
  kind: 'unreachable',
  why,
  detail,
})

/** An answer whose code is in no table of the operation. */
export const unknownCode = (code: string): Unreachable =>
  unreachable('unknown-code', /^\d{1,6}$/.test(code) ? code : null)

const isRepeated = (elements: XmlElements, name: string) =>
  Object.hasOwn(elements, name) && Array.isArray(elements[name])

export const fieldsIn = (elements: XmlElements, companyToken: string): DpoFields => {
  const clean = cleanerOf(companyToken)
  return {
    elements,
    text: (...names) => {
      for (const name of names) {
        const text = clean(textOf(elements, name) ?? '')
        if (text !== '') return text
      }
      return null
    },
  }
}

const longest = 300

// Control characters and halves of surrogate pairs: no database column keeps them, and they break a log's lines. They
// are marked and not left out, or else a text could become another one.
const unkeepable = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu

const cleanerOf = (companyToken: string) => {
  const secret = new RegExp(companyToken.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return (text: string) => {
    const kept = text.replaceAll(/\s+/g, ' ').replaceAll(unkeepable, '\ufffd')
    const safe = companyToken === '' ? kept : kept.replaceAll(secret, '[struck out]')
    return Array.from(safe.trim()).slice(0, longest).join('')
  }
}

/** Kwacha to the ngwee, also when written with more zeros (`145.0000`); null for anything else. */
export const exactAmount = (text: string | null): Ngwee | null =>
  text === null ? null : ngweeFromDecimal(text.replace(/^(\d+\.\d\d)0+$/, '$1'))

/** The repeated or single elements of that name which hold elements. */
export const eachInside = (elements: XmlElements, name: string): XmlElements[] => {
  const node = Object.hasOwn(elements, name) ? elements[name]! : []
  const nodes: XmlNode[] = Array.isArray(node) ? node : [node]
  return nodes.filter((one): one is XmlElements => typeof one === 'object' && !Array.isArray(one))
}
