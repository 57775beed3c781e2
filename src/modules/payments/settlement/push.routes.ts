import { timingSafeEqual, createHash } from 'node:crypto'
import { readBody } from '#platform/http/body'
import { notFound } from '#platform/http/http-refusals'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import type { JobQueue } from '#platform/jobs/job'
import { takePush } from './push.commands'
import type { PushNeeds } from './push.commands'
import { answerPushJob } from './push.job'

export type PushRouteNeeds = PushNeeds & {
  /** The last part of the address that the provider pushes to; null: nobody pushes. */
  pushSecret: string | null
  queue: Pick<JobQueue, 'enqueue'>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Where the provider tells of payments (payments.md section 1.5): kept first, answered `OK`, then looked into. */
export const pushRoutes = (needs: PushRouteNeeds): Route[] => [
  rawRoute({
    method: 'POST',
    path: '/api/payments/push/:secret',
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 64 * 1024 },
    serve: async (context, call) => {
      const { secret } = call.params as { secret: string }
      const { pushSecret, queue, log } = needs
      if (!pushSecret || !timingSafeEqual(digest(secret), digest(pushSecret))) throw notFound()
      const id = await takePush(needs)((await readBody(context)).toString('utf8'))
      // A queue that is away now only makes it later.
      await queue
        .enqueue(answerPushJob, { pushId: id }, { id: `push-${id}` })
        .catch((err: unknown) => log.warn({ err }, 'a push waits for the next sweep'))
      context.status = 200
      context.type = 'text/plain'
      context.body = 'OK'
    },
  }),
]
