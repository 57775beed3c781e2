import { Agent, request } from 'node:http'
import type { Program } from './program'
import { cpuMs, familyCpuMs } from './usage'

export type Answer = { status: number; body: string; headers: Record<string, string | string[] | undefined> }

/** A caller whose connections stay open. Throws after 30 s without an answer. */
export type Line = {
  send: (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Answer>
  close: () => void
}

/** One kept-alive connection at a time. */
export const lineTo = (url: string): Line => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    close: () => agent.destroy(),
    send: (method, path, headers = {}, body) =>
      new Promise((resolve, reject) => {
        const asked = request(new URL(path, url), { method, agent, headers, timeout: 30_000 }, (reply) => {
          const parts: Buffer[] = []
          reply.on('data', (part: Buffer) => parts.push(part))
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              body: Buffer.concat(parts).toString('utf8'),
              headers: reply.headers,
            }),
          )
          reply.on('error', reject)
        })
        asked.on('timeout', () => asked.destroy(new Error(`${method} ${path} did not answer in 30 s`)))
        asked.on('error', reject)
        asked.end(body)
      }),
  }
}

export type Measured = {
  operations: number
  perSecond: number
  p50: number
  p99: number
  serverCpu: number
  postgresCpu: number
}

export type Act = () => Promise<void>

/** Runs the acts of every actor in order, all actors at once; counts the CPU of `served`. */
export const measure = async (
  actors: Act[][],
  served: Pick<Program, 'pid'> & Partial<Pick<Program, 'postmaster'>>,
): Promise<Measured> => {
  const took: number[] = []
  const server = cpuMs(served.pid)
  const postgres = served.postmaster ? familyCpuMs(served.postmaster) : 0
  const began = performance.now()
  await Promise.all(
    actors.map(async (acts) => {
      for (const act of acts) {
        const at = performance.now()
        await act()
        took.push(performance.now() - at)
      }
    }),
  )
  const ms = performance.now() - began
  const sorted = took.toSorted((one, other) => one - other)
  const part = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    operations: took.length,
    perSecond: (took.length * 1000) / ms,
    p50: part(0.5),
    p99: part(0.99),
    serverCpu: (cpuMs(served.pid) - server) / took.length,
    postgresCpu: served.postmaster ? (familyCpuMs(served.postmaster) - postgres) / took.length : 0,
  }
}

/** The same act `times` over, by `actors` at once. */
export const repeated = (actors: number, times: number, actOf: (actor: number) => Act): Act[][] =>
  Array.from({ length: actors }, (_, actor) => Array.from({ length: times }, () => actOf(actor)))
