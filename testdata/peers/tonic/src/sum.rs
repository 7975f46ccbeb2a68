//! What a stream has received by sink.

#[derive(Default)]
pub struct Sum {
    messages: u64,
    bytes: u64,
    crc: u32,
}

impl Sum {
    pub fn add(&mut self, bytes: &[u8]) {
        self.messages += 1;
        self.bytes += bytes.len() as u64;
        self.crc = castagnoli(self.crc, bytes);
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut text = self.messages.to_le_bytes().to_vec();
        text.extend(self.bytes.to_le_bytes());
        text.extend(self.crc.to_le_bytes());
        text
    }
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut c = n as u32;
        let mut bit = 0;
        while bit < 8 {
            c = if c & 1 == 1 {
                (c >> 1) ^ 0x82f6_3b78
            } else {
                c >> 1
            };
            bit += 1;
        }
        table[n] = c;
        n += 1;
    }
    table
}

/// Continues a CRC-32C.
fn castagnoli(crc: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!crc, |crc, byte| {
        TABLE[((crc ^ u32::from(*byte)) & 0xff) as usize] ^ (crc >> 8)
    })
}
