import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'koa'
import { withLinks } from '#kernel/html-text'
import { timeText } from '#kernel/school-time'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import { listMails, readMail } from '../../adapters/mail'
import { escapeHtml } from '../../sandbox/document'

type Needs = { dataDir: string; schoolName: string; zone: string; webRoot: string | null }

type Mail = NonNullable<Awaited<ReturnType<typeof readMail>>>

/** Pages of the mails and SMS that a school without a server writes to files. */
export const devMailRoutes = (needs: Needs): Route[] => {
  const { dataDir } = needs
  const mailIn = ({ params }: { params: unknown }) => readMail(dataDir, (params as { name: string }).name)
  return [
    rawRoute({
      method: 'GET',
      path: '/dev/mail',
      access: anyone,
      serve: async (context) =>
        servePage(context, needs, 'Mails and SMS', listed(await listMails(dataDir), needs)),
    }),
    rawRoute({
      method: 'GET',
      path: '/dev/mail/:name',
      access: anyone,
      serve: async (context, call) => {
        const mail = await mailIn(call)
        if (mail) return servePage(context, needs, mail.subject, written(mail, needs))
        context.status = 404
        return servePage(context, needs, 'There is no such mail', back)
      },
    }),
    rawRoute({
      method: 'GET',
      path: '/dev/mail/:name/html',
      access: anyone,
      serve: async (context, call) => {
        const html = (await mailIn(call))?.html
        if (!html) return
        context.type = 'html'
        context.set('Content-Security-Policy', framedPolicy)
        context.set('X-Frame-Options', 'SAMEORIGIN')
        context.body = html.replace(/<html[^<>]*>/, '$&<base target="_blank">')
      },
    }),
  ]
}

const addressOf = ({ name }: Mail) => `/dev/mail/${encodeURIComponent(name)}`

const listed = (mails: Mail[], { zone }: Needs) => {
  const rows = mails.map(
    (mail) =>
      `<li><a href="${addressOf(mail)}">${escapeHtml(mail.subject)}</a><p>To ${escapeHtml(mail.to)}<br>${timeText(new Date(mail.date), zone)}</p></li>`,
  )
  return rows.length > 0
    ? `<p>The newest first, 100 at most.</p><ol class="card">${rows.join('')}</ol>`
    : '<p>No mail has been written yet.</p>'
}

const back = '<p><a class="btn btn-secondary" href="/dev/mail">All mails and SMS</a></p>'

const written = (mail: Mail, { zone }: Needs) => {
  const heads = [
    ['From', mail.from],
    ['To', mail.to],
    ['Sent', timeText(new Date(mail.date), zone)],
  ].flatMap(([name, text]) => (text ? `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>` : []))
  const text = `<pre class="card">${withLinks(mail.text, '', escapeHtml)}</pre>`
  const html = `<h2>As a mail program shows it</h2><iframe class="card" title="The mail" sandbox="${framedMay}" src="${addressOf(mail)}/html"></iframe><h2>As plain text</h2>`
  return `${back}<dl>${heads.join('')}</dl>${mail.html ? html : ''}${text}`
}

/** Tokens and components are the product's own (web/theme.css). */
const style = `
main,.head>*{max-width:48rem;margin-inline:auto}
main{padding:2rem 1rem 3rem;overflow-wrap:anywhere}
main>*+*{margin-top:1rem}
.head{padding-block:1rem;background:var(--color-head);color:var(--color-head-ink)}
.head>div{display:flex;padding-inline:1rem;align-items:center;gap:.75rem}
.head p{color:var(--color-head-quiet)}
h1{font:700 var(--text-xl)/1.3 var(--font-display);overflow-wrap:anywhere}
h2{font-weight:600}
a:not(.btn){color:var(--color-brand-700);text-decoration:underline}
li{position:relative;padding:.75rem 1rem}
li+li{border-top:1px solid var(--color-line)}
li a{font-weight:600}
li a::after{content:'';position:absolute;inset:0}
li p,dt{color:var(--color-muted);font-size:var(--text-sm)}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem 1rem}
pre{padding:1rem;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
iframe{display:block;width:100%;height:32rem;resize:vertical;background:Canvas;color-scheme:light}`

const styleHash = createHash('sha256').update(style).digest('base64')

const pagePolicy = `default-src 'none'; style-src 'self' 'sha256-${styleHash}'; font-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A mail may hold what strangers typed: no script runs, nothing is loaded, links open a page of their own. */
const framedMay = 'allow-popups allow-popups-to-escape-sandbox'
const framedPolicy = `sandbox ${framedMay}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`

const servePage = async (context: Context, { schoolName, webRoot }: Needs, title: string, main: string) => {
  const built = webRoot === null ? '' : await readFile(join(webRoot, 'index.html'), 'utf8')
  const sheets = built.match(/<link rel="stylesheet"[^<>]*>/g) ?? []
  context.type = 'html'
  context.set('Content-Security-Policy', pagePolicy)
  context.body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><link rel="icon" href="/favicon.svg">${sheets.join('')}<style>${style}</style></head><body><header class="head awning"><div><img src="/favicon.svg" alt="" width="44" height="44"><div><p>${escapeHtml(schoolName)}</p><h1>${escapeHtml(title)}</h1></div></div></header><main>${main}</main></body></html>`
}
