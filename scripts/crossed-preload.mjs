// Preloaded into the service by crossed.mjs: counts called functions on request over IPC.
import { Session } from 'node:inspector/promises'

const session = new Session()
const scripts = new Map()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) =>
  scripts.set(params.scriptId, { url: params.url, map: params.sourceMapURL }),
)
await session.post('Debugger.enable')
await session.post('Profiler.enable')

process.on('message', async (message) => {
  if (message === 'begin')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  if (message === 'zero') await session.post('Profiler.takePreciseCoverage') // taking resets the counters
  if (message !== 'take') return process.send({ done: message })
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result
    .filter(
      ({ url }) =>
        url.startsWith('file:') && !url.includes('/node_modules/') && !url.includes('crossed-preload'),
    )
    .map(({ url, functions }) => ({
      url,
      functions: functions
        .filter((f) => f.ranges[0].count > 0)
        .map((f) => ({ name: f.functionName, offset: f.ranges[0].startOffset, count: f.ranges[0].count })),
    }))
  process.send({ done: 'take', called })
})
process.channel?.unref()
