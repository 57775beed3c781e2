import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Running = { pid: number; parent: number; words: string }

const all = (): Running[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, words = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid ? [{ pid: Number(pid), parent: Number(parent), words }] : []
    })

const below = (processes: readonly Running[], pid: number): number[] =>
  processes
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...below(processes, child.pid)])

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** Kills processes at one and the same moment: none of them sees another one die. */
const killAtOnce = (pids: readonly number[]): void => {
  for (const pid of pids) send(pid, 'SIGSTOP')
  for (const pid of pids) send(pid, 'SIGKILL')
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The postmaster of a data directory; null when none runs. */
const postmasterOf = (dataDir: string): { pid: number; port: number } | null => {
  try {
    const file = join(dataDir, 'postgres/cluster/postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    const pid = Number(lines[0])
    return isAlive(pid) ? { pid, port: Number(lines[3]) } : null
  } catch {
    return null
  }
}

const databaseOf = (processes: readonly Running[], dataDir: string): number[] => {
  const postmaster = postmasterOf(dataDir)?.pid
  return postmaster ? [postmaster, ...below(processes, postmaster)] : []
}

/** Kills the database with all of its processes, and nothing else. */
export const killDatabase = (dataDir: string): void => killAtOnce(databaseOf(all(), dataDir))

/** Holds the database with all of its processes: they keep their connections and answer nothing. Answers how to let go. */
export const holdDatabase = (dataDir: string): (() => void) => {
  const pids = databaseOf(all(), dataDir)
  for (const pid of pids) send(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) send(pid, 'SIGCONT')
  }
}

const guardsOf = (processes: readonly Running[], server: number): number[] =>
  processes
    .filter(({ parent, words }) => parent === server && words.includes('read _; kill'))
    .map(({ pid }) => pid)

export const deaths = {
  /** The server process; its guard then stops the database, which the next start may meet while it stops. */
  server: (server: number) => killAtOnce([server]),
  /** The server and its guard; the next start meets a running database. */
  'server and guard': (server: number) => killAtOnce([server, ...guardsOf(all(), server)]),
  /** Everything, as when the machine loses its power. */
  everything: (server: number, dataDir: string) => {
    const processes = all()
    killAtOnce([server, ...guardsOf(processes, server), ...databaseOf(processes, dataDir)])
  },
  /** The server and the head of the database, whose other processes notice in their own time. */
  'server and postmaster': (server: number, dataDir: string) => {
    const postmaster = postmasterOf(dataDir)?.pid
    killAtOnce([server, ...guardsOf(all(), server), ...(postmaster ? [postmaster] : [])])
  },
}

export type Death = keyof typeof deaths
