import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What Linux has counted for a process: CPU in ms since its start, memory in MiB now and at its peak. */
export type Memory = { nowMiB: number; peakMiB: number }

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const msPerTick = 1000 / ticksPerSecond

const fieldsOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The process name is in brackets and may hold spaces; fields count from the third after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const ticks = (fields: string[], from: number) => Number(fields[from]) + Number(fields[from + 1])

/** User and system CPU in ms, without ended children. */
export const cpuMs = (pid: number): number => ticks(fieldsOf(pid), 11) * msPerTick

/** CPU in ms with living and ended children: all of Postgres by its postmaster. */
export const familyCpuMs = (parent: number): number => {
  const fields = fieldsOf(parent)
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => childTicks(Number(name), parent))
  return (ticks(fields, 11) + ticks(fields, 13) + sum(living)) * msPerTick
}

const childTicks = (pid: number, parent: number): number => {
  try {
    const fields = fieldsOf(pid)
    return Number(fields[1]) === parent ? ticks(fields, 11) : 0
  } catch {
    return 0
  }
}

export const memoryOf = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return { nowMiB: kilobytes('VmRSS') / 1024, peakMiB: kilobytes('VmHWM') / 1024 }
}

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
