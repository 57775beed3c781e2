import type { Registry } from 'prom-client'
import { dpoProvider, dpoTimeouts, type CardProvider } from '#modules/payments/index'
import type { Database } from '#platform/database'
import type { Route } from '#platform/http/route'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import type { Now } from '#platform/ports'
import type { Retention } from '#platform/retention'
import { sandboxProvider } from '../../sandbox/sandbox'
import type { Config } from '../config'
import { measuredProvider } from '../metrics/measured'

export type Cards = {
  provider: CardProvider | null
  kind: 'dpo' | 'sandbox' | 'off'
  /** The sandbox's page is at `origin`, where the browser reached this service. */
  pageOf: (paymentUrl: string, origin: string) => string
  routes: Route[]
  sweeps: Sweep[]
  retentions: Retention[]
  close: () => Promise<void>
}

type Needs = {
  database: Pick<Database, 'pool'>
  config: Config
  now: Now
  log: Log
  pushSecret: string
  ownUrl: () => string
  metrics?: Registry | undefined
}

const nothing = {
  routes: [],
  sweeps: [],
  retentions: [],
  close: async () => undefined,
  pageOf: (url: string) => url,
}

/** DPO with a company token; else the sandbox, or none in production (DESIGN section 1). */
export const cardsOf = (needs: Needs): Cards => {
  const { config, now, log } = needs
  const { DPO_COMPANY_TOKEN, DPO_SERVICE_TYPE, SCHOOL_TIMEZONE: zone } = config
  if (DPO_COMPANY_TOKEN && DPO_SERVICE_TYPE) {
    const { DPO_CREATE_URL, DPO_VERIFY_URL, DPO_PAY_URL } = config
    const dpo = {
      companyToken: DPO_COMPANY_TOKEN,
      serviceType: DPO_SERVICE_TYPE,
      createUrl: DPO_CREATE_URL,
      verifyUrl: DPO_VERIFY_URL,
      payUrl: DPO_PAY_URL,
      timeouts: dpoTimeouts,
    }
    return { ...nothing, kind: 'dpo', provider: seen(dpoProvider(dpo, { now, zone }), needs) }
  }
  if (config.production) {
    log.warn({}, 'DPO_COMPANY_TOKEN is not set: card payments are off')
    return { ...nothing, kind: 'off', provider: null }
  }
  const { config: sandbox, ...embedded } = sandboxOf(needs)
  const provider = seen(dpoProvider(sandbox, { now, zone }), needs)
  return { ...embedded, kind: 'sandbox', provider, pageOf: pageAt(config) }
}

const seen = (provider: CardProvider, { metrics }: Needs) =>
  metrics ? measuredProvider(provider, metrics) : provider

const pageAt =
  ({ PUBLIC_URL }: Config) =>
  (paymentUrl: string, origin: string) => {
    const { pathname, search } = new URL(paymentUrl)
    return new URL(`${pathname}${search}`, PUBLIC_URL ?? origin).href
  }

const sandboxOf = ({ database, config, now, log, ownUrl, pushSecret }: Needs) =>
  sandboxProvider({
    database,
    now,
    log,
    schoolName: config.SCHOOL_NAME,
    publicUrl: () => config.PUBLIC_URL ?? ownUrl(),
    serverUrl: ownUrl,
    pushUrl: () => new URL(`/api/payments/push/${pushSecret}`, ownUrl()).href,
  })
