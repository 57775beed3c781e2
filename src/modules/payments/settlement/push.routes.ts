import { createHash, timingSafeEqual } from 'node:crypto'
import { readBody } from '#platform/http/body'
import { notFound } from '#platform/http/http-refusals'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import { type PaymentsNeeds } from '../needs'
import { answerPush, takePush, type PushNeeds } from './push.commands'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Where the provider tells of payments (payments.md section 1.5): kept first, answered `OK`, then looked into. */
export const pushRoutes = (needs: PushNeeds & Pick<PaymentsNeeds, 'pushSecret'>): Route[] => [
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
      // The provider does not wait for its own answer; what is cut off here is found by the sweep.
      answerPush(needs)(push).catch((err: unknown) => log.warn({ err }, 'a push waits for the next sweep'))
    },
  }),
]
