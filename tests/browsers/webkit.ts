import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Builder, By, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '../crash/program'
import { phone } from '../support/browser'
import { eventually } from '../support/eventually'
import { type Driver, finder, findOnPage, notThere, type Target } from './driver'

/** Where its two programs are: WebKitGTK's driver, which starts the MiniBrowser it came with, and a screen for that. */
export type WebKitPrograms = { driver: string; xvfb: string }

// Whatever happens, neither of them stays.
const longestMs = 300_000

/** WebKitGTK's MiniBrowser, which fills a screen of a phone's size that nobody sees, steered by WebDriver. */
export const openWebKit = async (programs: WebKitPrograms): Promise<Driver> => {
  const { display, screen } = await openScreen(programs.xvfb)
  const port = await freePort()
  const server = spawn(programs.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
    timeout: longestMs,
  })
  const stop = async () => {
    for (const program of [server, screen]) await ended(program)
  }
  const browser = await connect(`http://127.0.0.1:${port}`).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    open: (url) => browser.get(url),
    press: async (target) => (await found(browser, target)).click(),
    write: async (target, text) => (await found(browser, target)).sendKeys(text),
    choose: async (target, option) => {
      const list = await found(browser, target)
      await list.findElement(By.xpath(`option[normalize-space()="${option}"]`)).click()
    },
    words: () => browser.executeScript('return document.body.innerText'),
    faults: () => [],
    picture: async () => Buffer.from(await browser.takeScreenshot(), 'base64'),
    close: async () => {
      await browser.quit()
      await stop()
    },
  }
}

/** Xvfb takes a number that is free and writes it where it is told to. */
const openScreen = async (xvfb: string) => {
  const size = `${phone.width}x${phone.height}x24`
  const screen = spawn(xvfb, ['-displayfd', '1', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: longestMs,
  })
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  return { display: `:${String(number).trim()}`, screen }
}

const connect = async (driver: string): Promise<WebDriver> => {
  await eventually(() => fetch(`${driver}/status`))
  const options = { args: ['--automation', '--full-screen'] }
  const browser = await new Builder()
    .usingServer(driver)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options })
    .build()
  await browser
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...phone })
  return browser
}

const found = async (browser: WebDriver, target: Target): Promise<WebElement> => {
  const element = await browser.executeScript<WebElement | 'unready' | null>(findOnPage, target)
  if (element === null) throw notThere(target)
  if (element !== 'unready') return element
  await browser.executeScript(finder)
  return found(browser, target)
}

const ended = async (program: ChildProcess) => {
  if (program.exitCode !== null || program.signalCode !== null) return
  program.kill()
  await once(program, 'exit')
}
