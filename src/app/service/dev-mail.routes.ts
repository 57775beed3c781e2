import { listMails, readMail } from '../../adapters/mail/files'
import { anyone, rawRoute, type Route } from '#platform/http/route'

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title></head><body><main>${body}</main></body></html>`

const notThere = page('Not found', '<h1>There is no such mail</h1><p><a href="/dev/mail">All mails</a></p>')

/** The mails written to files, to be read in a browser; only served where mail goes to files and not in production. */
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
      context.type = 'html'
      context.body = page('Mails', `<h1>Mails, newest first</h1>${list}`)
    },
  }),
  rawRoute({
    method: 'GET',
    path: '/dev/mail/:name',
    access: anyone,
    serve: async (context, call) => {
      const { name } = call.params as { name: string }
      const mail = await readMail(dataDir, name)
      context.type = 'html'
      if (!mail) context.status = 404
      context.body = mail
        ? page(
            mail.subject,
            `<p><a href="/dev/mail">All mails</a></p><h1>${escape(mail.subject)}</h1><p>From ${escape(mail.from)} to ${escape(mail.to)}, ${escape(mail.date)}</p><pre>${escape(mail.text)}</pre>`,
          )
        : notThere
    },
  }),
]
