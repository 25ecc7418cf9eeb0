import { expect, it } from 'vitest';
import { embeddedText } from './embedded-text.ts';

const all = { title: 'Boiler', description: 'How it is kept', breadcrumb: 'Boiler > Service', text: 'Once a year.' };

it('says what the chunk belongs to before what it says', () => {
  expect(embeddedText(all)).toBe('Boiler - How it is kept\nBoiler > Service\n\nOnce a year.');
});

it('leaves out what is empty', () => {
  expect(embeddedText({ ...all, description: '' })).toBe('Boiler\nBoiler > Service\n\nOnce a year.');
  expect(embeddedText({ ...all, breadcrumb: '' })).toBe('Boiler - How it is kept\n\nOnce a year.');
  expect(embeddedText({ title: '', description: '', breadcrumb: '', text: 'Once a year.' })).toBe('Once a year.');
});
