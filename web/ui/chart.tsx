import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as ChartJs,
  type ChartConfiguration,
  type ChartDataset,
  Legend,
  LineController,
  LineElement,
  LinearScale,
  PointElement,
  Tooltip,
} from 'chart.js'
import { useEffect, useRef } from 'react'
import { type ChartData, written } from './chart-data'

ChartJs.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LineController,
  LineElement,
  LinearScale,
  PointElement,
  Tooltip,
)

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const words = { bars: 'bars', columns: 'columns', lines: 'a line' } as const

/** Decorative: the table beside it says the same. */
export const Chart = ({ data }: { data: ChartData }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const draw = () => new ChartJs<Drawn>(context, settings(data, context.canvas.clientWidth))
    let chart = draw()
    // A canvas does not follow the colour scheme.
    const night = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      chart.destroy()
      chart = draw()
    }
    night.addEventListener('change', redraw)
    return () => {
      night.removeEventListener('change', redraw)
      chart.destroy()
    }
  }, [data])
  const label = `${data.title}, as ${words[data.drawn]}; the table says the same`
  const rem = data.drawn === 'bars' ? Math.max(3, data.places.length) * 1.9 + 4 : 13
  return (
    <div className="relative" style={{ height: `${rem}rem` }}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no img element */}
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  )
}

type Drawn = 'bar' | 'line'

// Long names would squeeze the bars; tooltip and table have them whole.
const shortened = (label: string) => (label.length > 19 ? `${label.slice(0, 18)}…` : label)

/** "Mon", "30 Nov". */
const inTwoLines = (label: string): string[] => {
  const [first = '', ...rest] = label.split(' ')
  return [first, rest.join(' ')]
}

const narrow = 320

const colours = [
  '--color-brand-600',
  '--color-accent-300',
  '--color-info-700',
  '--color-accent-700',
  '--color-sand-400',
  '--color-danger-600',
  '--color-ink',
]
// Lines are told apart without colour too.
const dashes = [[], [6, 3], [2, 3], [10, 4], [8, 3, 2, 3], [1, 2], [4, 4]]

const datasetOf = (
  { places, drawn, series, compared }: ChartData,
  label: string,
  at: number,
): ChartDataset<Drawn> => {
  const isBehind = compared === true && at === series.length - 1
  const colour = token(isBehind ? '--color-sand-300' : colours[at % colours.length]!)
  const own = { label, data: places.map(({ values }) => values[at] ?? null), backgroundColor: colour }
  if (drawn === 'lines')
    return {
      ...own,
      type: 'line',
      borderColor: colour,
      borderDash: dashes[at % dashes.length]!,
      borderWidth: 2,
      pointRadius: 2,
      pointHitRadius: 12,
    }
  const columns = { order: isBehind ? 1 : 0, grouped: compared !== true, barPercentage: isBehind ? 1 : 0.6 }
  return {
    ...own,
    type: 'bar',
    borderRadius: 4,
    maxBarThickness: drawn === 'bars' ? 22 : 36,
    ...(drawn === 'columns' && compared && columns),
  }
}

const settings = (data: ChartData, width: number): ChartConfiguration<Drawn> => {
  const font = { family: token('--font-sans'), size: width < narrow ? 12 : 13 }
  const ticks = { color: token('--color-muted'), font }
  const isLying = data.drawn === 'bars'
  const isStacked = data.drawn === 'bars'
  const amounts = {
    stacked: isStacked,
    beginAtZero: true,
    ticks: {
      ...ticks,
      precision: 0,
      maxTicksLimit: isLying && width < narrow ? 3 : 6,
      callback: (value: number | string) => axisText(Number(value), data.unit),
    },
    grid: { color: token('--color-line') },
  }
  const places = {
    stacked: isStacked,
    ticks: {
      ...ticks,
      maxRotation: 0,
      autoSkipPadding: 8,
      callback: (_value: number | string, at: number) => {
        const label = data.places[at]?.label ?? ''
        return isLying ? shortened(label) : inTwoLines(label)
      },
    },
    grid: { display: false },
  }
  return {
    type: data.drawn === 'lines' ? 'line' : 'bar',
    data: {
      labels: data.places.map(({ label }) => label),
      datasets: data.series.map((label, at) => datasetOf(data, label, at)),
    },
    options: {
      indexAxis: isLying ? 'y' : 'x',
      maintainAspectRatio: false,
      animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? false : { duration: 200 },
      interaction: { mode: 'index', axis: isLying ? 'y' : 'x', intersect: false },
      scales: isLying ? { x: amounts, y: places } : { x: places, y: amounts },
      plugins: {
        legend: {
          display: data.series.length > 1,
          align: 'start',
          labels: { color: token('--color-ink'), font, boxWidth: 14 },
        },
        tooltip: {
          callbacks: {
            label: ({ dataset, raw }) => `${dataset.label}: ${written(Number(raw), data.unit)}`,
          },
        },
      },
    },
  }
}

/** Whole kwacha without places: an axis has little room. */
const axisText = (value: number, unit: ChartData['unit']): string =>
  unit === 'kwacha' ? `K${value.toLocaleString('en-ZM')}` : written(value, unit)
