import { writeXml, type XmlTree } from '#modules/payments/providers/dpo-wire'
import type { BrokenReply } from './script'

export type SandboxReply = { kind: 'stall' } | { kind: 'answer'; status: number; type: string; body: string }

export const xmlReply = (tree: XmlTree): SandboxReply => ({
  kind: 'answer',
  status: 200,
  type: 'application/xml; charset=utf-8',
  body: writeXml('API3G', tree),
})

export const resultReply = (code: string, explanation: string, more: XmlTree = {}): SandboxReply =>
  xmlReply({ Result: code, ResultExplanation: explanation, ...more })

export const htmlReply = (status: number, title: string): SandboxReply => ({
  kind: 'answer',
  status,
  type: 'text/html; charset=utf-8',
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
})

const paidXml = writeXml('API3G', { Result: '000', ResultExplanation: 'Transaction Paid' })

const textReply = (body: string): SandboxReply => ({
  kind: 'answer',
  status: 200,
  type: 'application/xml; charset=utf-8',
  body,
})

export const brokenReply = (broken: BrokenReply): SandboxReply => {
  switch (broken) {
    case 'stall':
      return { kind: 'stall' }
    case 'html-502':
      return htmlReply(502, '502 Bad Gateway')
    case 'html-200':
      return htmlReply(200, 'We are updating our systems')
    case 'truncated':
      return textReply(paidXml.slice(0, -8))
    case 'doctype':
      return textReply(paidXml.replace('<API3G>', '<!DOCTYPE API3G [<!ENTITY paid "000">]><API3G>'))
    case 'huge':
      return textReply(paidXml.replace('</API3G>', `<Note>${'x'.repeat(300_000)}</Note></API3G>`))
  }
}
