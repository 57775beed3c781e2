import type { Now } from '#platform/clock'
import type { Log } from '#platform/log'
import { compose } from '../compose'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'

/** The contexts for a command beside the service: nobody is served, nobody signs in, no answer waits for a view. */
export const composeOffline = (
  infrastructure: Infrastructure,
  config: Config,
  { log, now }: { log: Log; now: Now },
): ReturnType<typeof compose> =>
  compose({
    ...infrastructure,
    config,
    log,
    now,
    demo: false,
    sessionKeys: [],
    pushSecret: '',
    ownUrl: () => config.publicUrl,
    rateLimits: 'off',
    waitForViews: async () => undefined,
  })
