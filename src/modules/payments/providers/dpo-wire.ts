import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { decimalFromNgwee } from '#kernel/money'
import { internationalPhone } from '#kernel/phone-number'
import { clockTime, schoolMoment } from '#kernel/school-time'
import {
  schoolCurrency,
  unreachable,
  type PromptRequest,
  type RefundRequest,
  type TokenRequest,
  type Unreachable,
} from './provider'

/** `companyToken` is the only credential and goes only to these addresses. */
export type DpoConfig = {
  companyToken: string
  serviceType: string
  /** All but verifyToken and verifyRefund (API v6). */
  createUrl: string
  /** verifyToken and verifyRefund (API v7): v6 may omit the reference, and then no payment counts as paid. */
  verifyUrl: string
  /** `ID=<token>` is added. */
  payUrl: string
  timeouts: { createMs: number; verifyMs: number }
}

/** payments.md section 8 rule 6 and section 7. */
export const dpoTimeouts: DpoConfig['timeouts'] = { createMs: 15_000, verifyMs: 8_000 }

// Bodies carry the company token: never log, store or show them.
const request = ({ companyToken }: DpoConfig, operation: string, rest: XmlTree) =>
  writeXml('API3G', { CompanyToken: companyToken, Request: operation, ...rest })

/** payments.md section 1.2; DPO expects the service date in `zone`. */
export const createTokenXml = (config: DpoConfig, asked: TokenRequest, zone: string): string =>
  request(config, 'createToken', {
    Transaction: {
      PaymentAmount: decimalFromNgwee(asked.amount),
      PaymentCurrency: schoolCurrency,
      CompanyRef: asked.reference,
      CompanyRefUnique: asked.unique ? '1' : '0',
      RedirectURL: asked.returnUrl,
      BackURL: asked.backUrl,
      PTL: String(asked.limitMinutes),
      // Otherwise DPO reads hours.
      PTLtype: 'minutes',
      ...customerFields(asked.customer),
      DefaultPayment: 'CC',
      TransactionSource: 'web',
    },
    Services: {
      Service: {
        ServiceType: config.serviceType,
        ServiceDescription: asked.description,
        ServiceDate: serviceDate(asked.serviceAt, zone),
      },
    },
  })

const customerFields = ({ firstName, lastName, email, phone }: TokenRequest['customer']): XmlTree => {
  const customer = {
    customerFirstName: firstName.trim(),
    customerLastName: lastName.trim(),
    customerEmail: email.trim(),
    customerPhone: (internationalPhone(phone ?? '') ?? phone ?? '').replaceAll(/\D/g, ''),
  }
  return {
    ...Object.fromEntries(Object.entries(customer).filter(([, text]) => text !== '')),
    customerCountry: 'ZM',
    customerDialCode: 'ZM',
  }
}

/** `YYYY/MM/DD HH:MM` on the school's clock. */
const serviceDate = (at: Date, zone: string) => {
  const moment = schoolMoment(at, zone)
  return `${moment.date.replaceAll('-', '/')} ${clockTime(moment)}`
}

export const verifyTokenXml = (config: DpoConfig, token: string, acknowledge: boolean): string =>
  request(config, 'verifyToken', { TransactionToken: token, VerifyTransaction: acknowledge ? '1' : '0' })

export const cancelTokenXml = (config: DpoConfig, token: string): string =>
  request(config, 'cancelToken', { TransactionToken: token })

export const mobileOptionsXml = (config: DpoConfig, token: string): string =>
  request(config, 'GetMobilePaymentOptions', { TransactionToken: token })

export const chargeMobileXml = (config: DpoConfig, { token, option, phone }: PromptRequest): string =>
  request(config, 'ChargeTokenMobile', {
    TransactionToken: token,
    PhoneNumber: phone,
    MNO: option.name,
    MNOcountry: option.country,
  })

export const refundTokenXml = (config: DpoConfig, asked: RefundRequest): string =>
  request(config, 'refundToken', {
    TransactionToken: asked.token,
    refundAmount: decimalFromNgwee(asked.amount),
    refundDetails: asked.details,
    refundRef: asked.refundRef,
  })

export const verifyRefundXml = (config: DpoConfig, paid: { token: string; ref: string | null }): string =>
  request(config, 'verifyRefund', {
    ...(paid.ref !== null && { TransRef: paid.ref }),
    TransactionToken: paid.token,
  })

export type Posted = { kind: 'answered'; text: string } | Unreachable

const maxBytes = 256 * 1024

// DPO answers 403 without a User-Agent.
const headers = {
  'Content-Type': 'application/xml; charset=utf-8',
  Accept: 'application/xml, text/xml',
  'User-Agent': 'Tuckshop/1.0',
}

/** The text of a 200 of at most 256 KiB, else unreachable. Follows no redirect: the body holds the credential. */
export const postXml = async (
  send: typeof fetch,
  url: string,
  body: string,
  timeoutMs: number,
): Promise<Posted> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      return unreachable('http-status', String(response.status))
    }
    const text = await readText(response)
    return text === null ? unreachable('too-large') : { kind: 'answered', text }
  } catch (error) {
    return signal.aborted ? unreachable('timeout') : unreachable('no-connection', codeWord(error))
  }
}

const readText = async (response: Response): Promise<string | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop aborts the transfer.
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Only the code (ECONNRESET): a message may quote the request. */
const codeWord = (error: unknown): string | null => {
  const code = property(property(error, 'cause') ?? error, 'code')
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : null
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

export type XmlTree = { [name: string]: string | XmlTree | XmlTree[] }

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

export type XmlNode = string | XmlElements | XmlNode[]
export type XmlElements = { [name: string]: XmlNode }

export type XmlRead = { kind: 'read'; elements: XmlElements } | { kind: 'doctype' } | { kind: 'not-xml' }

// Values stay text: 000 must not become 0. Reads XML's five entities; a DTD never gets here.
const parser = new XMLParser({
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: true,
  htmlEntities: false,
  maxNestedTags: 20,
})

/** Refuses a document type anywhere, even in a comment. */
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

/** Null for none, several, or text. */
export const insideOf = (elements: XmlElements, name: string): XmlElements | null => {
  const node = Object.hasOwn(elements, name) ? elements[name] : undefined
  return typeof node === 'object' && !Array.isArray(node) ? node : null
}

/** Null for none, several, or elements. */
export const textOf = (elements: XmlElements, name: string): string | null => {
  const node = Object.hasOwn(elements, name) ? elements[name] : undefined
  return typeof node === 'string' ? node : null
}
