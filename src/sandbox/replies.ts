import { writeXml, type XmlTree } from '#modules/payments/providers/dpo-wire'

export type BrokenReply = 'stall' | 'html-502' | 'html-200' | 'truncated' | 'doctype' | 'huge'

export type SandboxReply = { kind: 'stall' } | { kind: 'answer'; status: number; type: string; body: string }

export const xmlReply = (tree: XmlTree): SandboxReply => textReply(writeXml('API3G', tree))

export const resultReply = (code: string, explanation: string, more: XmlTree = {}): SandboxReply =>
  xmlReply({ Result: code, ResultExplanation: explanation, ...more })

export const missing = (field: string) => resultReply('950', `Request missing mandatory fields - ${field}`)
export const unknownToken = () => resultReply('902', 'Transaction token does not exist')

export const htmlReply = (status: number, title: string): SandboxReply => ({
  kind: 'answer',
  status,
  type: 'text/html; charset=utf-8',
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
})

const paidXml = writeXml('API3G', { Result: '000', ResultExplanation: 'Transaction Paid' })

export const textReply = (body: string): SandboxReply => ({
  kind: 'answer',
  status: 200,
  type: 'application/xml; charset=utf-8',
  body,
})

/** `xml` is what the answer would have been. */
export const brokenReply = (broken: BrokenReply, xml = paidXml): SandboxReply => {
  switch (broken) {
    case 'stall':
      return { kind: 'stall' }
    case 'html-502':
      return htmlReply(502, '502 Bad Gateway')
    case 'html-200':
      return htmlReply(200, 'We are updating our systems')
    case 'truncated':
      return textReply(xml.slice(0, -8))
    case 'doctype':
      return textReply(xml.replace('<API3G>', '<!DOCTYPE API3G [<!ENTITY paid "000">]><API3G>'))
    case 'huge':
      return textReply(xml.replace('</API3G>', `<Note>${'x'.repeat(300_000)}</Note></API3G>`))
  }
}
