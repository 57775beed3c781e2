import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js'
import { useEffect, useRef } from 'react'
import { type ChartData, written } from './revenue-text'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip)

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Decorative: the table beside it says the same. */
export const BarChart = ({ data }: { data: ChartData }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const draw = () => new Chart<'bar'>(context, settings(data, context.canvas.clientWidth))
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
  const rows = Math.max(3, data.bars.length)
  return (
    <div className="relative" style={{ height: `${rows * 1.9 + 4}rem` }}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no img element */}
      <canvas ref={canvas} role="img" aria-label={`${data.title}, as bars; the table says the same`} />
    </div>
  )
}

// Long names would squeeze the bars; tooltip and table have them whole.
const shortened = (label: string) => (label.length > 19 ? `${label.slice(0, 18)}…` : label)

const narrow = 320

const settings = (data: ChartData, width: number): ChartConfiguration<'bar'> => {
  const colours = [token('--color-brand-600'), token('--color-accent-300')]
  const font = { family: token('--font-sans'), size: width < narrow ? 12 : 13 }
  const ticks = { color: token('--color-muted'), font }
  return {
    type: 'bar',
    data: {
      labels: data.bars.map(({ label }) => label),
      datasets: data.series.map((label, at) => ({
        label,
        data: data.bars.map(({ values }) => values[at] ?? 0),
        backgroundColor: colours[at],
        borderRadius: 4,
        maxBarThickness: 22,
      })),
    },
    options: {
      indexAxis: 'y',
      maintainAspectRatio: false,
      animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? false : { duration: 200 },
      scales: {
        x: {
          stacked: true,
          beginAtZero: true,
          ticks: { ...ticks, precision: 0 },
          grid: { color: token('--color-line') },
        },
        y: {
          stacked: true,
          ticks: { ...ticks, callback: (_value, at) => shortened(data.bars[at]?.label ?? '') },
          grid: { display: false },
        },
      },
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
