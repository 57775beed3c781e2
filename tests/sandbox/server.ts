import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { httpServer } from '#platform/http/http-server'
import type { Route } from '#platform/http/route'
import { heardLog } from '../support/captured-log'
import { sessionsInMemory, requestKeysInMemory } from '../support/stand-ins'

/** These routes on a free port of this machine, served as the product serves them. */
export const serveSandbox = async (routes: Route[], log = heardLog()) =>
  httpServer({
    routes: [routes],
    refusals: {},
    sessions: sessionsInMemory(new Map()),
    rateLimits: 'off',
    requestKeys: requestKeysInMemory(),
    viewsInclude: async () => {},
    log,
    now: () => new Date(),
    publicUrl: 'http://lunch.school.test',
    sessionKeys: [randomUUID()],
    trustProxy: 0,
    webRoot: null,
    readiness: () => Promise.resolve({ ready: true, details: {} }),
    metrics: new Registry(),
    closeGraceMs: 100,
  }).listen(0, '127.0.0.1')
