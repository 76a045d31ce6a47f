import { expect, it } from 'vitest';
import type { SystemRecord } from '#contract/image/system.ts';
import { mainSystem, onlyUnloaded, systemOfPackage } from './own-systems.ts';

function system(name: string, parts: Partial<SystemRecord> = {}): SystemRecord {
  return { name, loaded: false, changed: 0, version: null, file: null, origin: 'project', broken: null, ...parts };
}

it('The system of a package has the package’s name, or the longest name that it extends [issue 39.2]', () => {
  const systems = [system('shop'), system('shop/tests'), system('alexandria', { origin: 'quicklisp' })];
  const of = (name: string): string | undefined => systemOfPackage(systems, name)?.name;
  expect(['SHOP', 'shop.cart', 'SHOP/TESTS', 'shop-internal', 'shopping', 'alexandria'].map(of)).toEqual([
    'shop',
    'shop',
    'shop/tests',
    'shop',
    undefined,
    undefined,
  ]);
});

it('The only system that is not loaded is known, whatever its name [issue 39.2]', () => {
  const library = system('alexandria', { origin: 'quicklisp' });
  expect(onlyUnloaded([system('inv'), system('base', { loaded: true }), library])?.name).toBe('inv');
  expect(onlyUnloaded([system('inv'), system('base')])).toBe(null);
});

it('The main system of a folder has its name, or is the only one without tests [issue 39.2]', () => {
  expect(mainSystem([system('shop'), system('base')], 'Shop')?.name).toBe('shop');
  expect(mainSystem([system('inv'), system('inv-tests'), system('inv/cli')], 'work')?.name).toBe('inv');
  expect(mainSystem([system('one'), system('two')], 'work')).toBe(null);
  expect(mainSystem([system('shop', { loaded: true })], 'shop')).toBe(null);
  expect(mainSystem([system('shop', { broken: 'end of file' })], 'shop')).toBe(null);
});
