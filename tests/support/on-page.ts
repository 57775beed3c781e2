import type { Locator, Page } from 'playwright-core'
import { desk, phone } from './browser'
import { shown } from './shown'

/** The two screens that most walks are taken on. */
export const sizes = [
  ['phone', phone],
  ['desk', desk],
] as const

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })

/** Waits until these words can be seen. */
export const showsText = (page: Page, words: string | RegExp): Promise<void> => shown(page.getByText(words))

/** Presses the first button of this name that can be seen, with the pointer. */
export const clickButton = async (page: Page, name: string | RegExp): Promise<void> => {
  await shown(button(page, name))
  await button(page, name).locator('visible=true').first().click()
}

/** Presses a button in the head of the page, which a phone folds away. */
export const clickInHead = async (page: Page, name: string): Promise<void> => {
  await shown(button(page, 'Logout').or(button(page, 'Open menu')))
  if (await button(page, 'Open menu').isVisible()) await clickButton(page, 'Open menu')
  await clickButton(page, name)
}
