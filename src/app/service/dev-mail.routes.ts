import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { listMails, readMail } from '../../adapters/mail'
import { anyone, rawRoute, type Route } from '#platform/http/route'

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const link = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/
const withLinks = (text: string) =>
  text
    .split(link)
    .map(escape)
    .map((part, index) => (index % 2 === 1 ? `<a href="${part}">${part}</a>` : part))
    .join('')

const style = ':root{color-scheme:light dark}pre{white-space:pre-wrap;overflow-wrap:anywhere}'
const styleHash = createHash('sha256').update(style).digest('base64')
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const serve = (context: Context, title: string, body: string) => {
  context.type = 'html'
  context.set('Content-Security-Policy', contentPolicy)
  context.body = page(title, body)
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`

const notThere = '<h1>There is no such mail</h1><p><a href="/dev/mail">All mails</a></p>'

export const devMailRoutes = (dataDir: string): Route[] => [
  rawRoute({
    method: 'GET',
    path: '/dev/mail',
    access: anyone,
    serve: async (context) => {
      const mails = await listMails(dataDir)
      const rows = mails.map(
        ({ name, to, subject, date }) =>
          `<li><a href="/dev/mail/${encodeURIComponent(name)}">${escape(subject)}</a> to ${escape(to)}, ${escape(date)}</li>`,
      )
      const list = rows.length > 0 ? `<ol>${rows.join('')}</ol>` : '<p>No mail has been written yet.</p>'
      serve(context, 'Mails', `<h1>Mails, newest first</h1>${list}`)
    },
  }),
  rawRoute({
    method: 'GET',
    path: '/dev/mail/:name',
    access: anyone,
    serve: async (context, call) => {
      const { name } = call.params as { name: string }
      const mail = await readMail(dataDir, name)
      if (!mail) {
        context.status = 404
        return serve(context, 'Not found', notThere)
      }
      const { from, to, subject, date, text } = mail
      serve(
        context,
        subject,
        `<p><a href="/dev/mail">All mails</a></p><h1>${escape(subject)}</h1><p>From ${escape(from)} to ${escape(to)}, ${escape(date)}</p><pre>${withLinks(text)}</pre>`,
      )
    },
  }),
]
