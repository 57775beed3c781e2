import { createHash, timingSafeEqual } from 'node:crypto'
import { readBody } from '#platform/http/body'
import { notFound } from '#platform/http/request'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import { takePush, answerPush } from './push.commands'
import type { SettlingNeeds } from './settle.commands'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Keeps a push first, answers `OK`, then looks into it (payments.md section 1.5). */
export const pushRoutes = (needs: SettlingNeeds): Route[] => [
  rawRoute({
    method: 'POST',
    path: '/api/payments/push/:secret',
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 64 * 1024 },
    serve: async (context, call) => {
      const { secret } = call.params as { secret: string }
      const { pushSecret, log } = needs
      if (!pushSecret || !timingSafeEqual(digest(secret), digest(pushSecret))) throw notFound()
      const push = await takePush(needs)((await readBody(context)).toString('utf8'))
      context.status = 200
      context.type = 'text/plain'
      context.body = 'OK'
      // The provider does not wait; the sweep finds what breaks off here.
      answerPush(needs)(push).catch((err: unknown) => log.warn({ err }, 'a push waits for the next sweep'))
    },
  }),
]
