import { getCutoff, saveCutoff } from '#contracts/cycles'
import { route, signedIn, withFeature } from '#platform/http/route'
import type { Cutoff } from './cycle'

const cutoffReply = ({ hour, minute }: Cutoff) => ({ cutoffHour: hour, cutoffMinute: minute })

type CutoffNeeds = {
  calendar: () => Promise<{ cutoff: Cutoff }>
  setCutoff: (cutoff: Cutoff) => Promise<void>
}

export const cutoffRoutes = ({ calendar, setCutoff }: CutoffNeeds) => [
  route(getCutoff, signedIn, async () => cutoffReply((await calendar()).cutoff)),
  route(saveCutoff, withFeature('settings'), async ({ body }) => {
    await setCutoff(body)
    return cutoffReply(body)
  }),
]
