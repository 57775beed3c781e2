import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { openJobQueue } from '../../src/adapters/queue-bullmq'
import { queueContract } from './queue-contract'
import type { Log } from '#platform/log'

const given = process.env.REDIS_TEST_URL ?? ''

const installed = (): boolean => {
  try {
    return execFileSync('redis-server', ['--version']).length > 0
  } catch {
    return false
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const startRedis = async (): Promise<{ url: string; child: ChildProcess }> => {
  const port = await freePort()
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve) => {
    child.stdout!.on('data', (text: Buffer) => {
      if (text.toString().includes('Ready to accept connections')) resolve()
    })
  })
  return { url: `redis://127.0.0.1:${port}`, child }
}

if (given === '' && !installed())
  test.skip('the job queue on Redis: there is no redis-server here and REDIS_TEST_URL is not set', () =>
    undefined)
else {
  let url = given
  let child: ChildProcess | undefined
  beforeAll(async () => {
    if (given === '') ({ url, child } = await startRedis())
  })
  afterAll(async () => {
    if (child === undefined) return
    const ended = new Promise((resolve) => child!.once('exit', resolve))
    child.kill()
    await ended
  })

  queueContract('Redis', async () => {
    const redis = new Redis(url)
    await redis.flushdb()
    const remove = async () => void (await redis.quit())
    return { open: (log: Log) => openJobQueue({ databaseUrl: '', redisUrl: url, log }), remove }
  })
}
