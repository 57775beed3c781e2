import * as fc from 'fast-check'
import * as z from 'zod/mini'
import { auditExport } from '#contracts/audit'
import { dayEndCsv, monthJournalCsv, statementOfAccountCsv } from '#contracts/books'
import { creditBalancesCsv } from '#contracts/credit-balances'
import { nothing, type Endpoint } from '#contracts/endpoint'
import { sponsoredReportCsv } from '#contracts/lunch-reports'
import { bulkUpload, csvColumns } from '#contracts/menu-upload'
import { uploadPicture } from '#contracts/pictures'
import { previewRoll } from '#contracts/roll-import'
import { uploadSettlement } from '#contracts/settlements'
import { uploadStatement } from '#contracts/transfers'
import { addressOf, type Access, type Route } from '#platform/http/route'
import { promptAnswers } from '../../src/sandbox/transaction'
import { hostileText } from './hostile-values'
import type { Target } from './requests'

export type FuzzTarget = Target & {
  name: string
  access: Access
  /** What a success is parsed as; null for what is no JSON. */
  reply: Endpoint['reply'] | null
  /** Its refusals may be pages for people or XML. */
  pages: boolean
}

type Form = Target['form']
type Raw = { contract?: Endpoint; query?: Endpoint['query']; form?: Form; json?: boolean; pages?: boolean }

const xmlPieces = fc.constantFrom(
  '<?xml version="1.0"?>',
  '<API3G>',
  '</API3G>',
  '<CompanyToken>1</CompanyToken>',
  '<Request>verifyToken</Request>',
  '<TransactionToken>A1</TransactionToken>',
  '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]>',
  '&a;',
  '&#0;',
  '&#x1F600;',
  '<![CDATA[',
  ']]>',
  '<a '.repeat(50),
  '<a>'.repeat(400),
)
const xml: Form = {
  type: 'application/xml',
  bodies: fc.oneof(
    fc.array(xmlPieces, { maxLength: 12 }).map((parts) => parts.join('')),
    hostileText,
  ),
}

const csvRow = fc.array(fc.oneof(hostileText, fc.constantFrom('1', 'beef:Slow', 'primary', '12.50')), {
  maxLength: csvColumns.length + 2,
})
const multipart: Form = {
  type: 'multipart/form-data; boundary=x',
  bodies: fc
    .tuple(
      fc.constantFrom('file', 'other', '__proto__'),
      fc.constantFrom('a.csv', '../a.csv', 'a.exe', ''),
      fc.array(csvRow, { maxLength: 5 }),
    )
    .map(([field, name, rows]) =>
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n` +
          `${csvColumns.join(',')}\n${rows.map((row) => row.join(',')).join('\n')}\r\n--x--\r\n`,
      ),
    ),
}
/** A statement with a head that is known, so that the fuzz gets to its rows. */
const statement: Form = {
  type: 'multipart/form-data; boundary=x',
  bodies: fc
    .tuple(
      fc.constantFrom('airtel', '', 'x'.repeat(100)),
      fc.array(
        fc.array(fc.oneof(hostileText, fc.constantFrom('1', '13/09/2026', '45.50', 'Success')), {
          maxLength: 7,
        }),
        {
          maxLength: 5,
        },
      ),
    )
    .map(([source, rows]) =>
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="source"\r\n\r\n${source}\r\n` +
          `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n` +
          'Transaction ID,Transaction Date,Sender MSISDN,Sender Name,Transaction Amount,Reference,Transaction Status\n' +
          `${rows.map((row) => row.join(',')).join('\n')}\r\n--x--\r\n`,
      ),
    ),
}
/** A list of the school with its heads, so that the fuzz gets to its rows. */
const rollList: Form = {
  type: 'multipart/form-data; boundary=x',
  bodies: fc
    .array(fc.array(fc.oneof(hostileText, fc.constantFrom('A-1', '3', 'Chipo')), { maxLength: 7 }), {
      maxLength: 5,
    })
    .map((rows) =>
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n` +
          'Student,Grade,Admission Number,Class,Guardian,Email,Phone\n' +
          `${rows.map((row) => row.join(',')).join('\n')}\r\n--x--\r\n`,
      ),
    ),
}
/** A settlement with a mapping, so that the fuzz gets to its rows. */
const settlement: Form = {
  type: 'multipart/form-data; boundary=x',
  bodies: fc
    .tuple(
      fc.constantFrom('{"token":"Token","type":"Type","gross":"Gross","at":"Date"}', '{"gross":1}', '['),
      fc.array(
        fc.array(fc.oneof(hostileText, fc.constantFrom('A1', 'refund', '45.50', '13/09/2026')), {
          maxLength: 4,
        }),
        { maxLength: 5 },
      ),
    )
    .map(([mapping, rows]) =>
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="mapping"\r\n\r\n${mapping}\r\n` +
          `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n` +
          `Token,Type,Gross,Date\n${rows.map((row) => row.join(',')).join('\n')}\r\n--x--\r\n`,
      ),
    ),
}
/** Heads of pictures with anything behind them, so that the fuzz gets to what decodes them. */
const picture: Form = {
  type: 'multipart/form-data; boundary=x',
  bodies: fc
    .tuple(
      fc.constantFrom(
        'ffd8ffe000104a464946',
        '89504e470d0a1a0a0000000d49484452',
        '52494646ffffffff57454250',
        '',
      ),
      fc.uint8Array({ maxLength: 300 }),
    )
    .map(([head, rest]) =>
      Buffer.concat([
        Buffer.from(
          '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
        ),
        Buffer.from(head, 'hex'),
        rest,
        Buffer.from('\r\n--x--\r\n'),
      ]),
    ),
}
const choice: Form = {
  type: 'application/x-www-form-urlencoded',
  bodies: fc
    .tuple(fc.constantFrom('pay', 'decline', 'cancel', 'close', 'slow', 'constructor'), hostileText)
    .map(
      ([outcome, card]) =>
        `outcome=${outcome}&card=${encodeURIComponent(Buffer.from(card).toString())}&push=off`,
    ),
}

const onPhone: Form = {
  type: 'application/x-www-form-urlencoded',
  bodies: fc
    .tuple(fc.constantFrom(...promptAnswers, 'constructor'), hostileText)
    .map(
      ([answer, prompt]) => `choice=${answer}&prompt=${encodeURIComponent(Buffer.from(prompt).toString())}`,
    ),
}

/** The routes that are no JSON calls: what they read, which no contract tells. */
const rawTargets: Record<string, Raw> = {
  'GET /api/audit/export': { contract: auditExport },
  'GET /api/books/day-end/csv': { contract: dayEndCsv },
  'GET /api/books/journal/csv': { contract: monthJournalCsv },
  'GET /api/credit/balances/csv': { contract: creditBalancesCsv },
  'GET /api/reports/sponsored/csv': { contract: sponsoredReportCsv },
  'GET /api/statement-of-account/csv': { contract: statementOfAccountCsv },
  'POST /api/books/settlements': { contract: uploadSettlement, form: settlement, json: true },
  'POST /api/menu/bulk-upload': { contract: bulkUpload, form: multipart, json: true },
  'POST /api/menu/pictures': { contract: uploadPicture, form: picture, json: true },
  'POST /api/roll/preview': { contract: previewRoll, form: rollList, json: true },
  'POST /api/payments/statements': { contract: uploadStatement, form: statement, json: true },
  'POST /api/payments/push/:secret': { form: xml },
  'POST /sandbox/api/v6/': { form: xml, pages: true },
  'POST /sandbox/api/v7/': { form: xml, pages: true },
  'GET /sandbox/pay': { query: z.object({ ID: z.string() }), pages: true },
  'POST /sandbox/pay/:token': { form: choice, pages: true },
  'GET /sandbox/phone/:number': { query: z.object({ did: z.string() }), pages: true },
  'POST /sandbox/phone/:number': { form: onPhone, pages: true },
  'GET /pictures/:name': {},
  'GET /.well-known/security.txt': { pages: true },
  'GET /dev/mail': { pages: true },
  'GET /dev/mail/:name': { pages: true },
  'GET /dev/mail/:name/html': { pages: true },
}

/** The routes that the fuzz knows nothing of: raw ones that are missing from the table above. */
export const unknownTo = (routes: readonly Route[]): string[] =>
  routes
    .filter(({ kind }) => kind === 'raw')
    .map(nameOf)
    .filter((name) => !(name in rawTargets))

/** Every route as the fuzz sees it; `seen` are bodies that went through once, by path. */
export const targetsOf = (routes: readonly Route[], seen: Record<string, unknown[]>): FuzzTarget[] =>
  routes.map((route) => {
    const name = nameOf(route)
    const { method, path } = route.kind === 'json' ? route.endpoint : route
    const raw = route.kind === 'raw' ? (rawTargets[name] ?? {}) : { contract: route.endpoint, json: true }
    const { contract, form, json = false, pages = false, query = nothing } = raw as Raw
    return {
      name,
      method,
      path,
      access: route.access,
      params: contract?.params ?? namesIn(path),
      query: contract?.query ?? query,
      body: contract?.body ?? nothing,
      reply: json ? contract!.reply : null,
      pages,
      seen: seen[path] ?? [],
      ...(form && { form }),
    }
  })

// The names in a path that no contract describes.
const namesIn = (path: string) =>
  z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, z.string()])))

const nameOf = (route: Route) => {
  const { method, path } = addressOf(route)
  return `${method} ${path}`
}
