import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'

/** A Redis that somebody else runs, to be tried with; empty when none is named. */
export const givenRedis = process.env.REDIS_TEST_URL ?? ''

/** Whether a redis-server can be started here. */
export const redisInstalled = (): boolean => {
  try {
    return execFileSync('redis-server', ['--version']).length > 0
  } catch {
    return false
  }
}

export type RedisServer = {
  url: string
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Keeps its connections and answers nothing, as a machine that hangs. */
  hang: () => void
  /** Goes on after that. */
  wake: () => void
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/**
 * A redis-server of its own on a free port, killed and started again at will. In a folder it keeps every write there,
 * as docker-compose.yml has it; without one it forgets everything when it is killed.
 */
export const startRedis = async (folder?: string): Promise<RedisServer> => {
  const port = await freePort()
  const kept = folder === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', folder]
  const words = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', ...kept]
  let child: ChildProcess | null = null
  const start = async () => {
    child = await ready(words)
  }
  const kill = async () => {
    if (child === null) return
    const ended = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    child = null
  }
  await start()
  const hang = () => void child?.kill('SIGSTOP')
  const wake = () => void child?.kill('SIGCONT')
  return { url: `redis://127.0.0.1:${port}`, kill, start, hang, wake }
}

const ready = (words: string[]) =>
  new Promise<ChildProcess>((resolve, reject) => {
    const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('Ready to accept connections')) resolve(child)
    })
  })
